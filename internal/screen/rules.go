package screen

// concept is a meaning with phrases in the lexicon.
type concept string

const (
	drop       concept = "drop"        // stop heeding; languages where the verb comes first
	dropAfter  concept = "drop-after"  // the same where the verb comes last
	prior      concept = "prior"       // given earlier, or yours
	orders     concept = "orders"      // instructions, prompts
	told       concept = "told"        // what was said before, in one phrase
	material   concept = "material"    // the document at hand
	say        concept = "say"         // state, answer, print
	another    concept = "another"     // instead
	become     concept = "become"      // you are now, act as
	lawless    concept = "lawless"     // without rules
	outlaw     concept = "outlaw"      // names of such personas
	claim      concept = "claim"       // I am your developer, as an authority
	demand     concept = "demand"      // confirm, I need you to, you must answer
	mode       concept = "mode"        // system mode, override
	seize      concept = "seize"       // such a mode in words that have no other use
	disclose   concept = "disclose"    // reveal, print, what is
	yourSecret concept = "your-secret" // your system prompt, your key
	send       concept = "send"        // upload, post
	loot       concept = "loot"        // keys, credentials, private files
	address    concept = "address"     // a URL or e-mail
	hide       concept = "hide"        // do not tell the user
	execute    concept = "run"         // execute, install
	silently   concept = "silently"    // without asking
	hidden     concept = "hidden"      // backdoor, malware
	insert     concept = "insert"      // add to code
	givenCode  concept = "given-code"  // the following code snippet
	yourWork   concept = "your-work"   // your solution, your answer
	scenario   concept = "scenario"    // hypothetical, parallel world
	might      concept = "might"       // could be, we might say
	alarm      concept = "alarm"       // your account was compromised
	click      concept = "click"       // follow this link
)

// rule is a sequence of concepts that meet in one sentence, each at most gap
// characters behind the one before.
type rule struct {
	kind     string
	gap      int
	sequence []concept
}

func rules() []rule {
	return []rule{
		{"override", 40, []concept{drop, prior, orders}},
		{"override", 40, []concept{drop, orders, prior}},
		{"override", 30, []concept{drop, told}},
		{"override", 40, []concept{prior, orders, dropAfter}},
		{"override", 30, []concept{told, dropAfter}},
		{"override", 60, []concept{drop, material, say}},
		{"override", 60, []concept{material, dropAfter, say}},
		{"override", 60, []concept{material, dropAfter}},
		{"override", 30, []concept{dropAfter, say}},
		{"override", 60, []concept{drop, another}},
		{"persona", 60, []concept{become, lawless}},
		{"persona", 40, []concept{become, outlaw}},
		{"persona", 80, []concept{outlaw, lawless}},
		{"authority", 80, []concept{claim, demand}},
		{"authority", 80, []concept{claim, mode}},
		{"authority", 40, []concept{mode, demand}},
		{"authority", 0, []concept{seize}},
		{"reveal", 30, []concept{disclose, yourSecret}},
		{"reveal", 30, []concept{yourSecret, dropAfter}},
		{"exfiltrate", 80, []concept{send, loot, address}},
		{"exfiltrate", 80, []concept{loot, send, address}},
		{"conceal", 0, []concept{hide}},
		{"execute", 60, []concept{execute, silently}},
		{"execute", 60, []concept{silently, execute}},
		{"code", 50, []concept{insert, hidden}},
		{"code", 70, []concept{givenCode, yourWork}},
		{"code", 70, []concept{yourWork, givenCode}},
		{"pretext", 80, []concept{scenario, might}},
		{"pretext", 80, []concept{scenario, say}},
		{"pretext", 80, []concept{scenario, drop}},
		{"pretext", 80, []concept{scenario, dropAfter}},
		{"pretext", 60, []concept{alarm, click}},
	}
}
