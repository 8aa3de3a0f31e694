/** Where the token lives while the tab does: as much of `sessionStorage` as is needed. */
export interface TokenStore {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const KEY = "spillway.token";

/** An address's fragment, read: `#token=TOKEN` is how a link brings the token, `#/SESSION` what the page itself writes. */
export interface Fragment {
  readonly token: string | undefined;
  readonly session: string | undefined;
}

export function readFragment(hash: string): Fragment {
  const text = hash.startsWith("#") ? hash.slice(1) : hash;
  if (text.startsWith("/")) return { token: undefined, session: text.slice(1) || undefined };
  const fields = new URLSearchParams(text);
  return { token: fields.get("token") ?? undefined, session: fields.get("session") ?? undefined };
}

export function writeFragment(session: string | undefined): string {
  return session === undefined ? "#/" : `#/${session}`;
}

export function loadToken(store: TokenStore): string | undefined {
  return store.getItem(KEY) ?? undefined;
}

export function keepToken(store: TokenStore, token: string | undefined): void {
  if (token === undefined) store.removeItem(KEY);
  else store.setItem(KEY, token);
}
