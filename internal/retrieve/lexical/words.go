package lexical

import "strings"

// The lists hold folded words (no accents, no apostrophes).

var englishStops = wordSet(`
a about above after again against all also am an and any are arent as at be because been before being below between
both but by can cant cannot could couldnt did didnt do does doesnt doing dont down during each either few for from further
had hadnt has hasnt have havent having he her here hers herself him himself his how however i id if ill im in into is isnt it
its itself ive just let lets me more most much must my myself no nor not of off on once only or other ought our ours ourselves
out over own per same shall she should shouldnt so some such than that thats the their theirs them themselves then there theres
these they theyre this those through to too under until up upon us very was wasnt we were werent weve what whats when where whether
which while who whom whose why will with within without wont would wouldnt yet you your youre yours yourself yourselves`)

var spanishStops = wordSet(`
a al algo alguna algunas alguno algunos ante antes aquel aquella aquellas aquellos aqui asi aun aunque cada como con contra cual cuales
cuando cuanto de del desde donde dos durante e el ella ellas ello ellos en entonces entre era eran eres es esa esas ese eso esos esta estaba
estaban estamos estan estar estas este esto estos estoy fue fueron fui ha habia habian han has hasta hay he hemos la las le les lo los mas me
mi mia mias mientras mio mis mucho muchos muy nada ni no nos nosotras nosotros nuestra nuestras nuestro nuestros nunca o os otra otras otro otros
para pero poco por porque pues que quien quienes se sea sean segun ser si sido siempre sin sobre sois solo somos son soy su sus suya suyo tal
tambien tampoco tan tanto te tenemos tenia tengo ti tiene tienen toda todas todo todos tu tus tuya tuyo u un una unas uno unos usted ustedes y ya yo`)

// englishLooking are Spanish stop words that are ordinary English words, and so
// no sign of Spanish.
var englishLooking = wordSet(`dos era eras ha hay mi mis sea sin solo soy tal tan te ti tu un os`)

// askingWords carry a request rather than its subject. In a question they
// count little; in a document they are words like any other.
var askingWords = wordSet(`
describe explain find give happen happened happens help know list need please show tell want
dame describe dime encontrar explica muestra necesito quiero saber`)

// askingWeight is what such a word is worth beside one that names something.
const askingWeight = 0.3

// plainWords are so common that a workspace without them says nothing: the
// question used another word for the same thing. Where somebody did write them
// they count like any other. They are stems.
var plainWords = stemSet(`
ability able accept actual add already also always another answer apply approach appropriate area ask assume available avoid back bad base basic
become begin behave behavior best better big bring build call care carry case change check choose clear come common compare complete concern
consider contain correct cover current deal decide default define depend detail determine develop different difficult do easy effect enough ensure
entire essential even ever every exact example exist expect explain extra fact far fast first follow form full general get go good great group guide
handle happen hard high hold idea important include instead involve issue item keep kind large last late lead learn least leave less level like
likely little long look lot low main make manage many matter mean meet might miss mention move multiple name necessary never new next normal note now
number occur offer often old omit open option order own part particular people perform place plan play point possible prefer prepare present previous prevent
problem proper provide purpose put question quick real really reason receive recommend record relate relevant remain remember replace report require
requirement result return right run safe say see seem send separate serve set short should side similar simple since single situation small something special
specific stand start state stay step stop strong suggest support suppose sure take talk team thing think time today together top total toward treat true try
turn type understand upgrade use useful usual valid value various version want way well whole win word work world worth write wrong year`)

// tradeWords are what work on software is called, whatever it is about. In a
// title they may name the subject. They are stems.
var tradeWords = stemSet(`
bug build code commit debug deploy error feature file install issue merge problem refactor release setup support test upgrade`)

// actWords say only that something is to be done. They are stems.
var actWords = stemSet(`
add change create delete edit fix get implement improve make modify move new remove rename run update use work write`)

// tradeWeight is what a word of the two lists is worth beside one that names
// something.
const tradeWeight = 0.5

// plainAbsence is the share of its weight that such a word keeps when absent.
const plainAbsence = 0.3

func stemSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[stem(word{text: w}, English)] = true
	}
	return set
}

func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(list) {
		set[w] = true
	}
	return set
}
