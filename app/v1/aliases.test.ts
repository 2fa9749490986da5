import { expect, test } from "vitest";
import { changeKey } from "@/lib/chat/programs/keys";
import { clientWith, serveV1 } from "./testing/v1-server";

const { keyWith, owner } = serveV1();
const echo = "compatible:fake/echo";

test("a key's name for a model answers over both APIs, and is changed later with the same secret", {
  tags: "long",
}, async () => {
  const { key, secret } = await keyWith({ aliases: { "gpt-4o": echo } });
  const openai = clientWith(secret);
  const ask = (model: string) =>
    openai.chat.completions.create({ model, messages: [{ role: "user", content: "Hi" }] });
  expect((await ask("gpt-4o")).model).toBe(echo);
  expect((await openai.responses.create({ model: "gpt-4o", input: "Hi" })).model).toBe(echo);
  expect((await openai.models.list()).data[0]).toMatchObject({ id: "gpt-4o" });
  expect(await openai.models.retrieve("gpt-4o")).toMatchObject({ owned_by: "compatible:fake" });
  const changed = await changeKey(owner(), key.id, { aliases: { best: echo } });
  expect(changed).toEqual({
    ...{ ...key, aliases: { best: echo } },
    ...{ lastUsedAt: expect.any(String), monthCost: expect.any(Number) },
  });
  expect((await ask("best")).model).toBe(echo);
  await expect(ask("gpt-4o")).rejects.toMatchObject({ status: 404 });
});

test("a name does not reach a model that the key may not use", async () => {
  const { secret } = await keyWith({ aliases: { best: echo }, models: ["openai/gpt-5"] });
  const asked = clientWith(secret).responses.create({ model: "best", input: "Hi" });
  await expect(asked).rejects.toMatchObject({ status: 403, code: "insufficient_permissions" });
});

test("a revoked key keeps its names", async () => {
  const { key } = await keyWith();
  await owner().keys.revoke(key.id);
  await expect(changeKey(owner(), key.id, { aliases: {} })).rejects.toMatchObject({
    code: "key-not-found",
  });
});
