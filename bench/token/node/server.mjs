// oidc-provider as an OAuth 2.0 server for public clients, with everything that it keeps in PostgreSQL: opaque tokens, codes with
// PKCE, refresh tokens that rotate, a grant that ends when one is used twice. Every interaction is agreed to, so that the caller
// gets codes by the provider's own authorization endpoint. There is one process for each processor, and they share POOL connections.
// The address of the database comes from the environment, as pg reads it.
//
//   PORT=8000 POOL=8 PGHOST=… PGPORT=… PGUSER=… PGDATABASE=… node server.mjs

import cluster from 'node:cluster';
import { createServer } from 'node:http';
import { availableParallelism } from 'node:os';
import Provider from 'oidc-provider';
import pg from 'pg';

const processes = availableParallelism();
const pool = new pg.Pool({ max: Math.ceil(Number(process.env.POOL) / processes) });

/** prepare makes the one table that the library's adapters usually have. */
async function prepare() {
  await pool.query(`create table if not exists entity (
    model       text not null,
    id          text not null,
    payload     jsonb not null,
    grant_id    text,
    uid         text,
    user_code   text,
    expires_at  timestamptz,
    consumed_at timestamptz,
    primary key (model, id)
  )`);
  await pool.query('create index if not exists entity_grant on entity (grant_id) where grant_id is not null');
  await pool.query('create index if not exists entity_uid on entity (uid) where uid is not null');
  await pool.query('create index if not exists entity_user_code on entity (user_code) where user_code is not null');
  await pool.query('create index if not exists entity_expiry on entity (expires_at)');
}

/** Adapter is the provider's door to its rows. Statements have names, so each connection prepares them once. */
class Adapter {
  constructor(model) {
    this.model = model;
  }

  async upsert(id, payload, expiresIn) {
    await pool.query({
      name: 'upsert',
      text: `insert into entity (model, id, payload, grant_id, uid, user_code, expires_at)
        values ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second')
        on conflict (model, id) do update set payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid,
          user_code = excluded.user_code, expires_at = excluded.expires_at`,
      values: [this.model, id, payload, payload.grantId, payload.uid, payload.userCode, expiresIn],
    });
  }

  find(id) {
    return this.one('find', 'id', id);
  }

  findByUid(uid) {
    return this.one('find-by-uid', 'uid', uid);
  }

  findByUserCode(userCode) {
    return this.one('find-by-user-code', 'user_code', userCode);
  }

  async one(name, column, value) {
    const { rows: [row] } = await pool.query({
      name,
      text: `select payload, extract(epoch from consumed_at)::bigint::int as consumed from entity
        where model = $1 and ${column} = $2 and (expires_at is null or expires_at > now())`,
      values: [this.model, value],
    });
    if (!row) return undefined;
    return row.consumed ? { ...row.payload, consumed: row.consumed } : row.payload;
  }

  async consume(id) {
    await pool.query({ name: 'consume', text: 'update entity set consumed_at = now() where model = $1 and id = $2', values: [this.model, id] });
  }

  async destroy(id) {
    await pool.query({ name: 'destroy', text: 'delete from entity where model = $1 and id = $2', values: [this.model, id] });
  }

  async revokeByGrantId(grantId) {
    await pool.query({ name: 'revoke', text: 'delete from entity where grant_id = $1', values: [grantId] });
  }
}

const port = Number(process.env.PORT);
const issuer = `http://127.0.0.1:${port}`;
const provider = new Provider(issuer, {
  adapter: Adapter,
  scopes: ['read', 'write'],
  features: { devInteractions: { enabled: false }, registration: { enabled: true } },
  clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], token_endpoint_auth_method: 'none' },
  pkce: { required: () => true },
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  findAccount: (ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  interactions: { url: (ctx, interaction) => `/interaction/${interaction.uid}` },
  ttl: { AccessToken: 300, AuthorizationCode: 60, RefreshToken: 90 * 86400, Grant: 90 * 86400, Session: 86400, Interaction: 600 },
  cookies: { keys: ['not a secret: it signs the cookies of a benchmark'] },
});

/** agree is what a person's clicks would do: one account, everything that is asked for. */
async function agree(request, response) {
  const { params } = await provider.interactionDetails(request, response);
  const grant = new provider.Grant({ accountId: 'person', clientId: params.client_id });
  grant.addOIDCScope(params.scope);
  const grantId = await grant.save();
  await provider.interactionFinished(request, response, { login: { accountId: 'person' }, consent: { grantId } });
}

/** serve answers until the process is told to end. */
function serve() {
  const answer = provider.callback();
  const server = createServer((request, response) => {
    if (!request.url.startsWith('/interaction/')) {
      answer(request, response);
      return;
    }
    agree(request, response).catch((error) => {
      console.error(error);
      response.writeHead(500).end();
    });
  });
  server.listen(port, '127.0.0.1');
  process.on('SIGTERM', () => {
    server.close(() => pool.end().then(() => process.exit()));
    server.closeAllConnections();
  });
}

if (cluster.isPrimary) {
  await prepare();
  await pool.end();
  for (let i = 0; i < processes; i += 1) cluster.fork();
  process.on('SIGTERM', () => {
    for (const worker of Object.values(cluster.workers)) worker.process.kill('SIGTERM');
  });
} else {
  serve();
}
