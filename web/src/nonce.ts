import { setNonce } from 'get-nonce';

/**
 * The nonce the server put into this response, allowed by its style-src. Empty
 * under the development server, which sends no policy.
 */
export const nonce: string =
  document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';

// The scroll lock under dialogs writes a style element and asks get-nonce for this.
setNonce(nonce);
