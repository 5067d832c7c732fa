package cli

import (
	"context"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"driftless/internal/cli/doctor"
)

func (c *client) doctorCommand() *cobra.Command {
	clientID := ""
	cmd := &cobra.Command{
		Use: "doctor [<url>]", Short: "Find out why a client cannot connect",
		Long: "Does what an AI client does, in its order, and names each thing that would make one fail: what was seen, why that matters,\n" +
			"and the cure. With the credential of this machine it goes the whole way to the list of tools. Nothing is changed on the server.\n" +
			"The exit status is 1 when something is broken, and 0 with warnings.",
		Example: "  driftless connect doctor\n  driftless connect doctor https://context.example.com/mcp -o json",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return wrongArguments(cmd)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			address := ""
			if len(args) == 1 {
				address = args[0]
			}
			return c.diagnose(cmd.Context(), address, clientID)
		},
	}
	cmd.Flags().StringVar(&clientID, "client-id", "", "also ask whether the server knows this client")
	return cmd
}

// diagnose looks at an address, or at the server that is in use where there is none.
func (c *client) diagnose(ctx context.Context, address, clientID string) error {
	own := c.env("DRIFTLESS_URL")
	if address != "" {
		c.url = doctor.Server(address)
	}
	server, err := c.server()
	if err != nil {
		return err
	}
	known, err := loadCredentials()
	if err != nil {
		return err
	}
	if clientID == "" && known[server].Tokens != nil {
		clientID = known[server].Tokens.ClientID
	}
	credential := c.current
	if own != "" && doctor.Server(own) != server && c.env("DRIFTLESS_API_KEY") != "" {
		c.say("note: DRIFTLESS_API_KEY is for the server in DRIFTLESS_URL and is not sent to %s", printable(server))
		credential = nil
	}
	report, err := doctor.Run(ctx, doctor.Options{
		Address: server, Credential: credential, ClientID: clientID, Agent: "driftless-cli/" + c.Version, Transport: transport(),
	})
	if err != nil {
		return usagef("%v", err)
	}
	if c.format == formatTable || c.format == formatMarkdown {
		err = report.Write(c.Out)
	} else {
		err = c.show(report)
	}
	if err != nil {
		return err
	}
	if report.Broken > 0 {
		return fmt.Errorf("%d of the checks found something broken", report.Broken)
	}
	return nil
}

// current is the credential as a client would use it: an access token that has ended is renewed first.
func (c *client) current(ctx context.Context) (string, error) {
	server, key, err := c.access()
	if err != nil || key == "" {
		return key, err
	}
	r, err := c.request(ctx, http.MethodGet, server+"/api/v1/me", key, nil)
	if err != nil {
		return "", err
	}
	// Whether it is taken is for the doctor to find out.
	_, _ = c.send(r)
	_, key, err = c.access()
	return key, err
}
