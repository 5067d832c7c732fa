import '@mantine/core/styles.css';
import '@mantine/spotlight/styles.css';
import '@mantine/notifications/styles.css';
import './styles/tokens.css';

import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { sessionQuery } from './api/queries';
import { LanguageProvider } from './i18n';
import { nonce } from './nonce';
import { createQueryClient } from './queryClient';
import { createConsoleRouter } from './router';
import { StepUp } from './session/StepUp';
import { resolver, theme } from './theme';

const client = createQueryClient(() => {
  const { pathname, href } = router.state.location;
  if (pathname.startsWith('/sign-in')) return;
  client.setQueryData(sessionQuery.queryKey, null);
  void router.navigate({ to: '/sign-in', search: { return_to: href } });
});
const router = createConsoleRouter(client);

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolver}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
    >
      <LanguageProvider>
        <Notifications position="bottom-right" autoClose={5000} limit={3} />
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
          <StepUp />
        </QueryClientProvider>
      </LanguageProvider>
    </MantineProvider>
  </StrictMode>,
);
