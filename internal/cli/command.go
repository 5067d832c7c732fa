package cli

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// addOperation makes the command of an operation. Inputs that the catalogue names in the command are positional, all others
// are flags.
func (c *client) addOperation(root *cobra.Command, op operation) {
	path, args := op.words()
	if at, rest, err := root.Find(path); err == nil && len(rest) == 0 && at != root {
		// The command has work to do on this machine and calls the operation itself.
		return
	}
	doc, example := op.example(path, args)
	verb := strings.Join(strings.Fields(op.CLI)[len(path)-1:], " ")
	cmd := &cobra.Command{Use: verb, Short: op.Title, Long: doc, Example: example}
	var fields []*field
	for _, p := range args {
		fields = append(fields, &field{name: p.name, schema: op.schema(p.name), in: c.In})
	}
	for _, name := range slices.Sorted(maps.Keys(op.Input.Properties)) {
		if isPositional(args, name) {
			continue
		}
		f := &field{name: name, schema: op.schema(name), in: c.In}
		fields = append(fields, f)
		flag := cmd.Flags().VarPF(f, strings.TrimPrefix(flagOf(name), "--"), "", f.usage())
		if f.schema.Type == "boolean" {
			flag.NoOptDefVal = "true"
		}
		if words := enum(f.schema); len(words) > 0 {
			// It fails only for a flag that does not exist or has a completion already.
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
		}
	}
	yes := false
	if op.Destructive {
		cmd.Flags().BoolVar(&yes, "yes", false, "really do it")
	}
	cmd.Args = func(cmd *cobra.Command, given []string) error { return take(cmd, args, fields, given) }
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		input, err := collect(op, fields)
		if err != nil {
			return err
		}
		if op.Destructive && !yes && input["dry_run"] != true {
			return usagef("%s destroys something: repeat it with --yes", cmd.CommandPath())
		}
		return c.perform(cmd.Context(), op, input)
	}
	below(root, path[:len(path)-1]...).AddCommand(cmd)
}

// take reads the positional arguments. The last one takes the rest where it is a list.
func take(cmd *cobra.Command, args []positional, fields []*field, given []string) error {
	for i, p := range args {
		rest := given
		if i < len(args)-1 || fields[i].schema.Type != "array" {
			rest = given[:min(1, len(given))]
		}
		given = given[len(rest):]
		if len(rest) == 0 && p.required {
			return wrongArguments(cmd)
		}
		for _, text := range rest {
			if text == "" {
				return usagef("<%s> must not be empty", p.name)
			}
			if err := fields[i].Set(text); err != nil {
				return usagef("<%s>: %v", p.name, err)
			}
		}
	}
	if len(given) > 0 {
		return wrongArguments(cmd)
	}
	return nil
}

// collect puts together what was given and refuses the command line when something required is missing.
func collect(op operation, fields []*field) (map[string]any, error) {
	input := map[string]any{}
	for _, f := range fields {
		if f.value != nil {
			input[f.name] = f.value
		}
	}
	var missing []string
	for _, name := range op.Input.Required {
		if _, given := input[name]; !given {
			missing = append(missing, flagOf(name))
		}
	}
	if len(missing) > 0 {
		return nil, usagef("required: %s", strings.Join(missing, ", "))
	}
	return input, nil
}

// perform calls the operation and shows its answer.
func (c *client) perform(ctx context.Context, op operation, input map[string]any) error {
	if p := op.Input.Properties["format"]; p != nil && c.format == formatMarkdown && slices.Contains(enum(p), "markdown") {
		input["format"] = "markdown"
	}
	call := c.call
	if op.Public {
		call = c.callPublic
	}
	raw, err := call(ctx, op.Method, op.Path, input)
	if err != nil {
		return err
	}
	return c.print(raw)
}
