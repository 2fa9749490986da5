import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { PageQueryClient } from "./page-query-client";

function observed() {
  const client = new PageQueryClient();
  const reads: ((value: string) => void)[] = [];
  const queryFn = () => new Promise<string>((resolve) => reads.push(resolve));
  const observer = new QueryObserver(client, { queryKey: ["gauge"], queryFn });
  observer.subscribe(() => undefined);
  return { client, reads, observer };
}

test("a query that is invalidated during its first read is read again", async () => {
  const { client, reads, observer } = observed();
  const invalidated = client.invalidateQueries({ queryKey: ["gauge"] });
  reads[0]?.("before");
  await expect.poll(() => reads.length).toBe(2);
  reads[1]?.("after");
  await invalidated;
  expect(observer.getCurrentResult().data).toBe("after");
});

test("a query that is not concerned is read once", async () => {
  const { client, reads, observer } = observed();
  const invalidated = client.invalidateQueries({ queryKey: ["tree"] });
  reads[0]?.("only");
  await invalidated;
  await expect.poll(() => observer.getCurrentResult().data).toBe("only");
  expect(reads).toHaveLength(1);
});
