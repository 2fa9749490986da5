import type { FakeWire } from "@/lib/llm/testing/fake-wires";
import type { Random } from "@/lib/text/testing/random";
import type { Mutate } from "./dialect-server";

type Change = (events: readonly string[], random: Random, wire: FakeWire) => readonly string[];

/** Oddities that change no word of an answer. */
const changes: readonly [Change, ...Change[]] = [
  (events) => events,
  (events, random) => inserted(events, random, ": keep-alive\n\n"),
  (events, random) => inserted(events, random, "\n\n"),
  (events) => events.map((event) => event.replaceAll("\n", "\r\n")),
  (events) => events.map((event) => event.replaceAll(/^data: /gm, "data:")),
  (events, random) => inserted(events, random, "retry: 100\n\n"),
  (events, random, wire) => inserted(events, random, wire.answer().unknown()),
  (events, random, wire) =>
    isChat(wire) ? inserted(events, random, random.of(oddChunks)) : events,
  (events, random, wire) => (isChat(wire) ? [...events, random.of(oddChunks)] : events),
  (events, _, wire) => (isChat(wire) ? events.map(withOddHead) : events),
  (events, _, wire) => (isChat(wire) ? events.map(withOtherEnd) : events),
];

/** Chunks without words, as servers with OpenAI's format send them between and after those with words. */
const oddChunks: readonly [string, ...string[]] = [
  'data: {"usage":{"prompt_tokens":7,"completion_tokens":3}}\n\n',
  'data: {"choices":[],"usage":{"prompt_tokens":"7","completion_tokens":"3.5"}}\n\n',
  'data: {"id":7,"choices":[{"index":0,"delta":{"role":"model","content":null}}]}\n\n',
  'data: {"type":"ping"}\n\n',
  "data: {}\n\n",
  "data:\n\n",
  "data: null\n\n",
  'event: ping\ndata: {"cost":0}\n\n',
];

function isChat({ provider }: FakeWire): boolean {
  return provider.kind === "compatible" || (provider.kind === "openai" && provider.api === "chat");
}

function withOddHead(event: string): string {
  return event.replace('"id":"c1"', '"id":12').replace('"created":1', '"created":"now"');
}

function withOtherEnd(event: string): string {
  return event
    .replace('"finish_reason":"stop"', '"finish_reason":"eos_token"')
    .replace("[DONE]", "[done]");
}

export function mutatedStream(random: Random, wire: FakeWire): Mutate {
  const chosen = [random.of(changes), random.of(changes)];
  const isSplit = random.below(2) === 0;
  return (events) => {
    const changed = chosen.reduce((given, change) => change(given, random, wire), events);
    return isSplit ? packets(Buffer.from(changed.join("")), random) : changed;
  };
}

/** Inserts anywhere but before the first event, which opens the stream. */
function inserted(events: readonly string[], random: Random, event: string): readonly string[] {
  const at = 1 + random.below(Math.max(1, events.length - 1));
  return [...events.slice(0, at), event, ...events.slice(at)];
}

function packets(bytes: Uint8Array, random: Random): Uint8Array[] {
  const all: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const size = 1 + random.below(40);
    all.push(bytes.slice(at, at + size));
    at += size;
  }
  return all;
}
