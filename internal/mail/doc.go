// Package mail owns how a mail leaves the server: the connection to the configured SMTP server, the form of a message in plain
// text and HTML, and what a refusal of that server means.
//
// It refuses to be called from anywhere but a job, because a transaction cannot take a mail back; to say an address or a
// word of the other server in an error; and to know who gets which mail, and why.
package mail
