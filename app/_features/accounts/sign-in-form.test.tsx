import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { SignInForm } from "./sign-in-form";

test.each([
  [true, "This Grove has no account yet.", "Forgot your password?"],
  [false, "Forgot your password?", "This Grove has no account yet."],
])("says with isFirst %s: %s", (isFirst, said, unsaid) => {
  const page = renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <SignInForm next={null} problem={null} providers={[]} isFirst={isFirst} />
    </QueryClientProvider>,
  );
  expect(page).toContain(said);
  expect(page).not.toContain(unsaid);
  expect(page).toContain("npm run account:link");
});
