// A mail server on this machine that keeps what it is given, and delivers nothing.
import { EventEmitter, once } from 'node:events';
import net from 'node:net';

/** Starts a mail server; what it answers to is in `env`. */
export async function startMailbox() {
  const mailbox = new Mailbox();
  mailbox.server.listen(0, '127.0.0.1');
  await once(mailbox.server, 'listening');
  return mailbox;
}

class Mailbox {
  #mails = [];
  #arrivals = new EventEmitter();

  constructor() {
    this.server = net.createServer((socket) => this.#converse(socket));
  }

  /** The settings of a server that sends its mail here. */
  get env() {
    return {
      DRIFTLESS_SMTP_HOST: '127.0.0.1',
      DRIFTLESS_SMTP_PORT: String(this.server.address().port),
      DRIFTLESS_SMTP_TLS: 'none',
      DRIFTLESS_SMTP_FROM: 'Driftless <driftless@ledger.example>',
    };
  }

  /** The first link below `prefix` that was mailed to the address; waits for it at most a quarter of a minute. */
  async link(to, prefix) {
    const signal = AbortSignal.timeout(15_000);
    for (;;) {
      for (const mail of this.#mails.filter((one) => one.to.includes(to))) {
        const at = mail.text.indexOf(prefix);
        if (at >= 0) return /^[^\s"<>]+/.exec(mail.text.slice(at))[0];
      }
      await once(this.#arrivals, 'mail', { signal });
    }
  }

  close() {
    this.server.close();
  }

  /** As much of RFC 5321 as a client needs. */
  #converse(socket) {
    const say = (line) => socket.write(`${line}\r\n`);
    let held = '';
    let to = [];
    let data = false;
    say('220 mailbox');
    socket.on('error', () => socket.destroy());
    socket.setEncoding('utf8').on('data', (chunk) => {
      held += chunk;
      for (;;) {
        const end = data ? '\r\n.\r\n' : '\r\n';
        const at = held.indexOf(end);
        if (at < 0) return;
        const text = held.slice(0, at);
        held = held.slice(at + end.length);
        if (data) {
          data = false;
          this.#mails.push({ to, text: plain(text) });
          this.#arrivals.emit('mail');
          to = [];
          say('250 kept');
          continue;
        }
        const verb = text.slice(0, 4).toUpperCase();
        if (verb === 'RCPT') to.push(/<(.*?)>/.exec(text)[1]);
        if (verb === 'DATA') {
          data = true;
          say('354 go on');
        } else if (verb === 'QUIT') {
          say('221 bye');
          socket.end();
        } else {
          say('250 mailbox');
        }
      }
    });
  }
}

/** Undoes quoted-printable (RFC 2045, section 6.7), as far as links need it. */
function plain(text) {
  return text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
}
