package fault

import "time"

// Wire is the JSON form of an error, the same in a tool result, in problem+json and in the command line's -o json.
type Wire struct {
	Code              Code     `json:"code"`
	Message           string   `json:"message"`
	Hint              string   `json:"hint"`
	Fields            []Field  `json:"fields,omitempty"`
	Allowed           []string `json:"allowed,omitempty"`
	Current           any      `json:"current,omitempty"`
	ChangesSinceBase  any      `json:"changes_since_base,omitempty"`
	RetryAfterSeconds int      `json:"retry_after_seconds,omitempty"`
	Retryable         bool     `json:"retryable"`
	RequestID         string   `json:"request_id"`
}

// Wire renders the error for one request.
func (e *Error) Wire(requestID string) Wire {
	return Wire{
		Code: e.Code, Message: e.Message, Hint: e.Hint, Fields: e.Fields, Allowed: e.Allowed, Current: e.Current,
		ChangesSinceBase: e.Changes, RetryAfterSeconds: e.RetrySeconds(), Retryable: e.Retryable(),
		RequestID: requestID,
	}
}

// RetrySeconds is [Error.RetryAfter] in whole seconds, rounded up: who comes back after them is not early (RFC 9110 §10.2.3).
func (e *Error) RetrySeconds() int { return int((e.RetryAfter + time.Second - 1) / time.Second) }
