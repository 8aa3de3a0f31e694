import type { Viewer } from "./viewer.js";

/** Shown where there is no token that the host knows. */
export function SignIn({ viewer }: { readonly viewer: Viewer }) {
  const isWrong = viewer.refused.value === "wrong token";
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const token = new FormData(event.currentTarget as HTMLFormElement).get("token");
    if (typeof token === "string" && token.trim() !== "") viewer.signIn(token.trim());
  };
  return (
    <main class="sign-in">
      <h1 class="brand">spillway</h1>
      <h2>{isWrong ? "This token is not known here" : "A token is needed"}</h2>
      <p role={isWrong ? "alert" : undefined}>
        {isWrong
          ? "The host refused it. Each session has a token of its own, and a new host may have a new one."
          : "Sessions are shown to whoever holds their token."}{" "}
        Open the address that <code>spillway run --web</code> or <code>spillway serve</code> printed, or paste its
        token.
      </p>
      <form onSubmit={submit}>
        <label for="token">Token</label>
        <div class="field-row">
          <input id="token" name="token" type="password" autocomplete="off" spellcheck={false} required />
          <button type="submit" class="button is-primary">
            Open
          </button>
        </div>
      </form>
    </main>
  );
}
