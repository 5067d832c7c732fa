import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { sessionQuery } from './api/queries';
import { signonQuery } from './api/signon';
import type { Role } from './api/types';
import { curationTabs, type CurationTab } from './areas/tabs';
import { lanes, type Lane } from './review/queue';
import { safeReturnTo } from './session/returnTo';
import { CrashPage, NotFoundPage, PendingPage } from './shell/Fallbacks';
import { Shell } from './shell/Shell';
import { topicTabs, type TopicTab } from './topic/tabs';

interface Context {
  client: QueryClient;
}

interface SignInSearch {
  return_to?: string;
  /** Why signing in with a provider did not work, in the server's word. */
  problem?: string;
}

interface AccountSearch {
  /** The workspace that it was opened from, to lead back there. */
  from?: string;
  /** Why linking a provider did not work, in the server's word. */
  problem?: string;
}

interface ReviewSearch {
  lane?: Lane;
  item?: string;
  area?: string;
  /** Only what is filed where the reader is asked first. */
  mine?: boolean;
}

interface TopicSearch {
  edit?: boolean;
  tab?: TopicTab;
  from?: 'review';
  revision?: number;
}

interface AskSearch {
  /** The question. */
  q?: string;
}

interface GraphSearch {
  /** The topic in the middle, and the steps from it. */
  topic?: string;
  depth?: number;
  area?: string;
}

interface AreasSearch {
  tab?: CurationTab;
}

interface InboxSearch {
  unread?: boolean;
}

interface HealthSearch {
  /** The repository and the folder whose coverage is shown. */
  repo?: string;
  path?: string;
}

export interface ActivitySearch {
  types?: string[];
  topic?: string;
}

export interface ListSearch {
  q?: string;
  area?: string;
  tags?: string[];
  trust?: 'draft' | 'proposed';
  mine?: boolean;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const rootRoute = createRootRouteWithContext<Context>()({});

/** Where a person starts: reviewers at what waits for them, others at what is known. */
export function home(role: Role): '/w/$ws/review' | '/w/$ws/knowledge' {
  return role === 'owner' || role === 'admin' ? '/w/$ws/review' : '/w/$ws/knowledge';
}

async function signedIn(client: QueryClient, href: string) {
  const session = await client.ensureQueryData(sessionQuery);
  if (!session) throw redirect({ to: '/sign-in', search: { return_to: href } });
  return session;
}

/** The ways to sign in are known before a page shows them: nothing moves when they come. */
async function known(client: QueryClient): Promise<void> {
  await client.prefetchQuery(signonQuery);
}

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  async beforeLoad({ context, location }) {
    const session = await signedIn(context.client, location.href);
    const [first] = session.workspaces;
    if (first) throw redirect({ to: home(first.role), params: { ws: first.slug } });
  },
  component: lazyRouteComponent(() => import('./door/NoWorkspacePage')),
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/setup/$token',
  component: lazyRouteComponent(() => import('./door/SetupPage')),
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): SignInSearch => ({
    return_to: search.return_to === undefined ? undefined : safeReturnTo(search.return_to),
    problem: text(search.problem),
  }),
  loader: ({ context }) => known(context.client),
  component: lazyRouteComponent(() => import('./door/SignInPage')),
});

const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset',
  loader: ({ context }) => known(context.client),
  component: lazyRouteComponent(() => import('./door/ForgotPage')),
});

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset/$token',
  component: lazyRouteComponent(() => import('./door/ResetPage')),
});

const consentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/consent',
  validateSearch: (search: Record<string, unknown>) => ({
    request: search.request === undefined ? '' : String(search.request),
  }),
  async beforeLoad({ context, location }) {
    await signedIn(context.client, location.href);
  },
  component: lazyRouteComponent(() => import('./door/ConsentPage')),
});

const deviceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/device',
  validateSearch: (search: Record<string, unknown>) => ({
    user_code: search.user_code === undefined ? '' : String(search.user_code),
  }),
  async beforeLoad({ context, location }) {
    await signedIn(context.client, location.href);
  },
  component: lazyRouteComponent(() => import('./door/DevicePage')),
});

const inviteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/invite/$token',
  loader: ({ context }) => known(context.client),
  component: lazyRouteComponent(() => import('./door/InvitePage')),
});

const confirmRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirm/$id',
  async beforeLoad({ context, location }) {
    await signedIn(context.client, location.href);
  },
  component: lazyRouteComponent(() => import('./door/ConfirmPage')),
});

const workspaceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/w/$ws',
  beforeLoad: async ({ context, location }) => ({
    session: await signedIn(context.client, location.href),
  }),
  component: Shell,
});

const workspaceIndexRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/',
  beforeLoad({ context, params }) {
    const here = context.session.workspaces.find((w) => w.slug === params.ws);
    if (here) throw redirect({ to: home(here.role), params });
  },
});

const reviewRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/review',
  validateSearch: (search: Record<string, unknown>): ReviewSearch => ({
    lane: lanes.find((lane): lane is Lane => lane === search.lane),
    item: text(search.item),
    area: text(search.area),
    mine: search.mine === true || undefined,
  }),
  component: lazyRouteComponent(() => import('./review/ReviewPage')),
});

const filter = (search: Record<string, unknown>): ListSearch => ({
  q: text(search.q),
  area: text(search.area),
  tags: Array.isArray(search.tags) ? search.tags.map(String) : undefined,
  trust: search.trust === 'draft' || search.trust === 'proposed' ? search.trust : undefined,
  mine: search.mine === true || undefined,
});

const notesRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/notes',
  validateSearch: filter,
  component: lazyRouteComponent(() => import('./lists/TopicListPage'), 'NotesPage'),
});

const knowledgeRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/knowledge',
  validateSearch: filter,
  component: lazyRouteComponent(() => import('./lists/TopicListPage'), 'KnowledgePage'),
});

const topicRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/t/$slug',
  validateSearch: (search: Record<string, unknown>): TopicSearch => ({
    edit: search.edit === true || undefined,
    tab: topicTabs.find((tab) => tab === search.tab),
    from: search.from === 'review' ? 'review' : undefined,
    revision: typeof search.revision === 'number' ? search.revision : undefined,
  }),
  component: lazyRouteComponent(() => import('./topic/TopicPage')),
});

const inboxRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/inbox',
  validateSearch: (search: Record<string, unknown>): InboxSearch => ({
    unread: search.unread === true || undefined,
  }),
  component: lazyRouteComponent(() => import('./inbox/InboxPage')),
});

const healthRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/health',
  validateSearch: (search: Record<string, unknown>): HealthSearch => ({
    repo: text(search.repo),
    path: text(search.path),
  }),
  component: lazyRouteComponent(() => import('./health/HealthPage')),
});

const activityRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/activity',
  validateSearch: (search: Record<string, unknown>): ActivitySearch => ({
    types: Array.isArray(search.types) ? search.types.map(String) : undefined,
    topic: text(search.topic),
  }),
  component: lazyRouteComponent(() => import('./activity/ActivityPage')),
});

const connectRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/connect',
  component: lazyRouteComponent(() => import('./connect/ConnectPage')),
});

const askRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/ask',
  validateSearch: (search: Record<string, unknown>): AskSearch => ({ q: text(search.q) }),
  component: lazyRouteComponent(() => import('./ask/AskPage')),
});

const graphRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/graph',
  validateSearch: (search: Record<string, unknown>): GraphSearch => ({
    topic: text(search.topic),
    depth: [1, 2, 3, 4, 5].find((depth) => depth === search.depth),
    area: text(search.area),
  }),
  component: lazyRouteComponent(() => import('./graph/GraphPage')),
});

const areasRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/areas',
  validateSearch: (search: Record<string, unknown>): AreasSearch => ({
    tab: curationTabs.find((tab) => tab === search.tab),
  }),
  component: lazyRouteComponent(() => import('./areas/AreasPage')),
});

const settingsRoute = createRoute({
  getParentRoute: () => workspaceRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/SettingsLayout')),
  beforeLoad({ params, location }) {
    if (/\/settings\/?$/.test(location.pathname)) {
      throw redirect({ to: '/w/$ws/settings/workspace', params });
    }
  },
});

const workspaceSettingsRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/workspace',
  component: lazyRouteComponent(() => import('./settings/WorkspacePage')),
});

const sourcesRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/sources',
  component: lazyRouteComponent(() => import('./settings/SourcesPage')),
});

const dataRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/data',
  component: lazyRouteComponent(() => import('./settings/DataPage')),
});

const membersRoute = createRoute({
  getParentRoute: () => settingsRoute,
  path: '/members',
  component: lazyRouteComponent(() => import('./settings/MembersPage')),
});

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/account',
  validateSearch: (search: Record<string, unknown>): AccountSearch => ({
    from: search.from === undefined ? undefined : String(search.from),
    problem: text(search.problem),
  }),
  loader: ({ context }) => known(context.client),
  async beforeLoad({ context, location }) {
    await signedIn(context.client, location.href);
  },
  component: lazyRouteComponent(() => import('./account/AccountPage')),
});

const routeTree = rootRoute.addChildren([
  indexRoute,
  setupRoute,
  signInRoute,
  forgotRoute,
  resetRoute,
  consentRoute,
  deviceRoute,
  inviteRoute,
  confirmRoute,
  accountRoute,
  workspaceRoute.addChildren([
    workspaceIndexRoute,
    reviewRoute,
    notesRoute,
    knowledgeRoute,
    topicRoute,
    inboxRoute,
    healthRoute,
    activityRoute,
    askRoute,
    graphRoute,
    areasRoute,
    connectRoute,
    settingsRoute.addChildren([workspaceSettingsRoute, membersRoute, sourcesRoute, dataRoute]),
  ]),
]);

export function createConsoleRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    defaultPendingComponent: PendingPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: CrashPage,
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
