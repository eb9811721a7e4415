package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"tabwright/host/control"
	"tabwright/host/control/client"
	"tabwright/host/native/wire"
	"tabwright/host/serve"
)

// closeCommand ends the session.
func closeCommand(o *actOptions) *cobra.Command {
	var all bool
	cmd := &cobra.Command{
		Use: "close", Short: "End the session: close its tabs, or the browser that it launched", Args: cobra.NoArgs,
		Example: "  tabwright close\n  tabwright close --all",
		RunE: func(cmd *cobra.Command, _ []string) error {
			closed, err := closeSessions(cmd.Context(), o.session, all)
			if o.json && err == nil {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]any{"closed": closed})
			}
			for _, name := range closed {
				fmt.Fprintf(cmd.OutOrStdout(), "Closed %s\n", name)
			}
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			if len(closed) == 0 && !all {
				fmt.Fprintf(cmd.ErrOrStderr(), "No session %q is open.\n", o.session)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "every session")
	return cmd
}

// closeSessions ends one session, or every one, and names those that it ended. A
// session that ends by itself meanwhile, with the broker too, is as was wanted.
func closeSessions(ctx context.Context, name string, all bool) (closed []string, err error) {
	closed = []string{}
	c, err := serve.Dial(ctx, false)
	if err != nil {
		return closed, nil //nolint:nilerr // without a broker no session is open
	}
	defer c.Close()
	gone := func(err error) bool {
		return errors.Is(err, &wire.Error{Code: wire.CodeNoSession}) || errors.Is(err, &wire.Error{Code: wire.CodeClosed})
	}
	names := []string{name}
	if all {
		list, err := listSessions(ctx, c)
		if err != nil && !gone(err) {
			return closed, err
		}
		names = nil
		for _, s := range list {
			names = append(names, s.Session)
		}
	}
	for _, name := range names {
		err := c.Call(ctx, wire.MethodSessionClose, wire.SessionCloseParams{Session: name, Tabs: true}, nil)
		if err == nil {
			closed = append(closed, name)
		} else if !gone(err) {
			return closed, err
		}
	}
	return closed, nil
}

func listSessions(ctx context.Context, c *client.Client) ([]wire.SessionInfo, error) {
	var l wire.SessionList
	err := c.Call(ctx, wire.MethodSessionList, wire.Empty{}, &l)
	return l.Sessions, err
}

// sessionsCommand lists the open sessions.
func sessionsCommand(o *actOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use: "sessions", Short: "List the open sessions", Args: func(cmd *cobra.Command, words []string) error {
			if len(words) == 0 {
				return nil
			}
			return &exitError{code: exitUsage, err: noSuch(cmd, words)}
		},
		Example: "  tabwright sessions\n  tabwright sessions list --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			list := []wire.SessionInfo{}
			if c, err := serve.Dial(cmd.Context(), false); err == nil {
				defer c.Close()
				if list, err = listSessions(cmd.Context(), c); err != nil {
					return &exitError{code: exitFailed, err: err}
				}
			}
			if o.json {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(wire.SessionList{Sessions: list})
			}
			for _, s := range list {
				where := strings.TrimSpace(s.Browser + " " + s.Profile)
				if s.Launched && s.Profile == "" {
					where = "a browser of its own"
				}
				if s.Isolated {
					where += ", isolated"
				}
				if s.Paused {
					where += ", paused"
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s\t%s\t%s\n", s.Session, s.Client, where)
			}
			return nil
		},
	}
	cmd.AddCommand(&cobra.Command{Use: "list", Short: cmd.Short, Args: cobra.NoArgs, Example: "  tabwright sessions list", RunE: cmd.RunE})
	return cmd
}

// profilesCommand lists the browsers that can be used.
func profilesCommand(o *actOptions) *cobra.Command {
	cmd := &cobra.Command{
		Use: "profiles", Short: "List the profiles of your own browsers, and of browsers that Tabwright launches",
		Example: "  tabwright profiles\n  tabwright profiles remove own:work",
		Args: func(cmd *cobra.Command, words []string) error {
			if len(words) == 0 {
				return nil
			}
			return &exitError{code: exitUsage, err: noSuch(cmd, words)}
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			list := wire.ProfileList{Profiles: control.OwnProfiles(serve.ProfilesDir())}
			if c, err := serve.Dial(cmd.Context(), false); err == nil {
				defer c.Close()
				list = wire.ProfileList{}
				if err := c.Call(cmd.Context(), wire.MethodProfileList, wire.Empty{}, &list); err != nil {
					return &exitError{code: exitFailed, err: err}
				}
			}
			if o.json {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(list)
			}
			if !slices.ContainsFunc(list.Profiles, func(p wire.ProfileInfo) bool { return p.Kind == wire.ProfileChrome }) {
				fmt.Fprintln(cmd.ErrOrStderr(), "No browser of yours is connected (`tabwright doctor` says why); --launch and --profile own start one.")
			}
			for _, p := range list.Profiles {
				fmt.Fprintln(cmd.OutOrStdout(), profileLine(p))
			}
			return nil
		},
	}
	list := &cobra.Command{Use: "list", Short: cmd.Short, Args: cobra.NoArgs, Example: "  tabwright profiles list", RunE: cmd.RunE}
	cmd.AddCommand(list, removeProfileCommand(o))
	return cmd
}

// removeProfileCommand removes a profile of the host's own; the broker alone can
// tell that no browser has it open.
func removeProfileCommand(o *actOptions) *cobra.Command {
	return &cobra.Command{
		Use: "remove PROFILE", Aliases: []string{"rm"}, Args: cobra.ExactArgs(1), ValidArgsFunction: profileNames,
		Short:   "Remove a profile of Tabwright's own, with its cookies, storage and history",
		Example: "  tabwright profiles remove own:work",
		RunE: func(cmd *cobra.Command, words []string) error {
			c, err := serve.Dial(cmd.Context(), true)
			if err != nil {
				return &exitError{code: exitFailed, err: err}
			}
			defer c.Close()
			if err := c.Call(cmd.Context(), wire.MethodProfileRemove, wire.ProfileRemoveParams{Profile: words[0]}, nil); err != nil {
				e := wire.AsError(err)
				code := exitFailed
				if e.Code == wire.CodeInvalidParams {
					code = exitUsage
				}
				return &exitError{code: code, err: e}
			}
			if o.json {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(map[string]string{"removed": words[0]})
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Removed %s\n", words[0])
			return nil
		},
	}
}

func profileLine(p wire.ProfileInfo) string {
	var state []string
	if p.Kind == wire.ProfileChrome {
		state = append(state, strings.TrimSpace(p.Browser.Name+" "+p.Browser.Version), "connected")
	} else if p.Running {
		state = append(state, "running")
	} else {
		state = append(state, "not running")
	}
	if p.Headless {
		state = append(state, "headless")
	}
	if p.Last {
		state = append(state, "used last")
	}
	if p.Sessions == 1 {
		state = append(state, "1 session")
	} else if p.Sessions > 1 {
		state = append(state, fmt.Sprintf("%d sessions", p.Sessions))
	}
	return p.Profile + "\t" + p.Kind + "\t" + strings.Join(state, ", ")
}
