import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { ApiError } from "@/app/_api/api-error";
import { queryKeys } from "@/app/_api/query-keys";
import type { ReceiptWire } from "@/lib/chat/wire/context";
import { LastRequest } from "./last-request";

const receipt: ReceiptWire = {
  ...{ model: "test/model", prompt: "You are a program.", blocks: [], skills: [] },
  ...{ messages: [], tools: [], tokens: { prompt: 4, messages: 0, tools: 0 } },
  ...{ usage: null, cost: null, startedAt: "2026-01-01T00:00:00Z", finishedAt: null },
};

async function shown(answer: ReceiptWire | Error): Promise<string> {
  const client = new QueryClient({
    defaultOptions: { queries: { staleTime: Infinity, retry: false, retryOnMount: false } },
  });
  const queryFn = () => (answer instanceof Error ? Promise.reject(answer) : answer);
  await client.prefetchQuery({ queryKey: queryKeys.receipt("s", "a"), queryFn });
  return renderToString(
    <QueryClientProvider client={client}>
      <LastRequest sessionId="s" answerId="a" />
    </QueryClientProvider>,
  );
}

test("the last request shows the prompt, and the person's own memory only where it was given", async () => {
  const without = await shown(receipt);
  expect(without).toContain("You are a program.");
  expect(without).not.toContain("Your own memory");
  const page = await shown({ ...receipt, personal: "Likes tea" });
  expect(page).toContain("Your own memory");
  expect(page).toContain("Likes tea");
});

test("an answer without a receipt shows nothing, and a failure says so", async () => {
  const absent = new ApiError("None.", { code: "receipt-not-found", status: 404 });
  expect(await shown(absent)).toBe("");
  const failed = new ApiError("It failed.", { code: "internal", status: 500 });
  expect(await shown(failed)).toContain("It failed.");
});
