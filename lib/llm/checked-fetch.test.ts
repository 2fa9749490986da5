import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { afterEach, describe, expect, test } from "vitest";
import { checkedFetch, type StreamingCall, streamingCall } from "./checked-fetch";
import { describeModelError } from "./describe-model-error";
import { type ModelLimits, modelLimits } from "./model-limits";

const patient = { ...modelLimits({}), maxBytes: 10_000 };
const firstByte = { ...patient, firstByteMs: 80 };
const nextByte = { ...patient, nextByteMs: 80 };
const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A request, answered by `listener`. */
async function ask(
  listener: RequestListener,
  init: RequestInit = {},
  limits: ModelLimits = patient,
): Promise<Response> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => server.close().closeAllConnections());
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("No port.");
  return checkedFetch(fetch, limits)(`http://127.0.0.1:${address.port}`, {
    method: "POST",
    ...init,
  });
}

/** The text of a streaming call, and the sentence the person reads after a fault. */
async function told(listener: RequestListener, limits = patient): Promise<string> {
  const call: StreamingCall = { fault: undefined };
  try {
    const text = await streamingCall.run(call, async () =>
      (await ask(listener, {}, limits)).text(),
    );
    return call.fault === undefined ? text : describeModelError(call.fault).message;
  } catch (error) {
    return describeModelError(error).message;
  }
}

describe("checkedFetch", () => {
  test("passes an answer through byte for byte", async () => {
    const text = "data: {}\n\n".repeat(90);
    expect(await told((_, response) => response.end(text))).toBe(text);
  });

  test("gives up on a provider that sends nothing", async () => {
    expect(await told(() => undefined, firstByte)).toBe(
      "The provider sent nothing for 0.08 seconds. Try again or choose another model.",
    );
  });

  test("gives up on a provider that sends a head and no body", async () => {
    const message = await told((_, response) => response.flushHeaders(), firstByte);
    expect(message).toContain("The provider sent nothing");
  });

  test("gives up on a provider that stops in the middle", async () => {
    const message = await told((_, response) => void response.write("data: {}\n\n"), nextByte);
    expect(message).toContain("The provider stopped sending for 0.08 seconds.");
  });

  test("closes the connection to a provider it has given up on", async () => {
    const closed = Promise.withResolvers<void>();
    await told((_, response) => void response.on("close", () => closed.resolve()), firstByte);
    await closed.promise;
  });

  test("names a web page", async () => {
    const message = await told((_, response) => response.end("\n<!doctype html><p>Sign in"));
    expect(message).toContain("answers with a web page");
  });

  test("accepts JSON where no stream is expected", async () => {
    const response = await ask((_, answer) => answer.end('{"text":"Hi"}'));
    expect(await response.json()).toEqual({ text: "Hi" });
  });

  test("names an empty body", async () => {
    const message = await told((_, response) => response.end());
    expect(message).toContain("The provider sent an empty response.");
  });

  test("ends an endless answer", async () => {
    const message = await told((_, response) => {
      const send = () => response.write("data: {}\n\n".repeat(100), send);
      send();
    });
    expect(message).toContain("The provider sent more than 0 MB for one answer.");
  });

  test("ends when its caller aborts", async () => {
    const caller = new AbortController();
    const response = await ask((_, answer) => void answer.write("data: {}\n\n"), {
      signal: caller.signal,
    });
    const text = response.text();
    caller.abort(new Error("Stopped."));
    await expect(text).rejects.toThrow("Stopped.");
  });
});
