import { type FakeWire, fakeWires } from "@/lib/llm/testing/fake-wires";
import type { Random } from "@/lib/text/testing/random";
import { quirks, strayErrors, strayEvents } from "./event-quirks";

/** A streamed answer of a provider, changed on its way. */
export interface MutatedStream {
  readonly wire: FakeWire;
  readonly pieces: readonly Uint8Array[];
  /** Words in events that arrive whole. */
  readonly words: readonly string[];
  /** An end arrives whole, and no error does. */
  readonly isComplete: boolean;
  /** The server keeps the connection after its end. */
  readonly staysOpen: boolean;
}

export function mutatedStream(n: number, random: Random): MutatedStream {
  const wire = wireOf(n);
  const events = answerOf(wire, random);
  const changed = mutatedEvents(events, random);
  const bytes = new TextEncoder().encode(changed.map(({ text }) => text).join(""));
  const whole = changed.filter(({ isWhole }) => isWhole).map(({ text }) => text);
  const isComplete = whole.some((event) => isEnd(event, wire)) && !changed.some(isError);
  return {
    wire,
    pieces: cut(bytes, random),
    words: whole.flatMap((text) => text.match(/word\d+x/g) ?? []),
    isComplete,
    staysOpen: isComplete && isSure(whole) && random.below(100) === 0,
  };
}

/** Both packages of chat completions take turns. */
function wireOf(n: number): FakeWire {
  const [chat, responses, anthropic, google, compatible] = fakeWires;
  if (!chat || !responses || !anthropic || !google || !compatible)
    throw new Error("A wire is missing.");
  return (
    [chat, responses, anthropic, google, compatible, responses, anthropic, google][n % 8] ?? chat
  );
}

function answerOf(wire: FakeWire, random: Random): string[] {
  const answer = wire.answer();
  let words = 0;
  const word = () => ` word${words++}x`;
  const inside = [
    () => answer.text(word()),
    () => answer.text(word()),
    () => answer.text(`${word()} 🌳 Ünï`),
    () => answer.text(`${word()} \ud83c`) + answer.text(`\udf33${word()}`),
    () => answer.reasoning(word()),
    () => answer.unknown(),
    () => answer.call({ id: `c${words}`, name: "look_up", input: '{"a":1}' }),
    () => random.of(strayEvents),
  ] as const;
  const body = Array.from({ length: 1 + random.below(12) }, () => random.of(inside)());
  const ends = [
    () => answer.finish("stop"),
    () => answer.finish("stop"),
    () => answer.finish("tool-calls"),
    () => "",
    () => answer.error("Not now."),
    () => random.of(strayErrors),
    () => "data: [DONE]\n\n",
    () => "data: [done]\n\n",
  ] as const;
  return eventsIn([answer.begin(), ...body, random.of(ends)()].join(""));
}

interface SentEvent {
  readonly text: string;
  readonly isWhole: boolean;
}

type Mutation = (events: readonly SentEvent[], at: number, random: Random) => SentEvent[];

const mutations: readonly [Mutation, ...Mutation[]] = [
  (events, at) => events.toSpliced(at, 1),
  (events, at) => events.toSpliced(at, 0, ...events.slice(at, at + 1)),
  (events, at, random) => {
    const moved = events.slice(at, at + 1);
    return events.toSpliced(at, 1).toSpliced(random.below(events.length), 0, ...moved);
  },
  (events, at, random) => {
    const text = events[at]?.text ?? "";
    const half = `${text.trimEnd().slice(0, random.below(text.length))}\n\n`;
    return events.with(at, { text: half, isWhole: false });
  },
  (events, at, random) => events.toSpliced(at, 0, { text: random.of(strayEvents), isWhole: true }),
  (events, at, random) => {
    const { text, isWhole } = events[at] ?? { text: "", isWhole: false };
    return events.with(at, { text: strange(text, random), isWhole });
  },
  (events, at, random) => events.with(at, changed(events[at], random.of(quirks), random)),
  (events, _, random) => {
    const quirk = random.of(quirks);
    return events.map((event) => changed(event, quirk, random));
  },
  (events, at) => events.slice(0, at + 1),
];

function mutatedEvents(texts: readonly string[], random: Random): readonly SentEvent[] {
  let events: readonly SentEvent[] = texts.map((text) => ({ text, isWhole: true }));
  for (let left = random.below(6); left > 0 && events.length > 0; left--)
    events = random.of(mutations)(events, random.below(events.length), random);
  return events;
}

const sideFields =
  /"(id|index|created|created_at|model|role|item_id|output_index|sequence_number|input_tokens|output_tokens|prompt_tokens|promptTokenCount|usage|logprobs|finish_reason|stop_sequence)":(?:"[^"]*"|-?[\d.]+(?:e\d+)?|null)/g;

/** Other values in the fields that hold no words. */
function strange(text: string, random: Random): string {
  return text.replaceAll(sideFields, (field, name: string) =>
    random.next() < 0.5 || endFields.test(field) ? field : `"${name}":${random.of(strangeValues)}`,
  );
}

/** Fields that end the answer. */
const endFields = /"finish_reason":"/;

const strangeValues = [
  "null",
  '"\\u0000"',
  '"a\\ud800"',
  "11.5",
  "-1",
  "1e30",
  "18446744073709551616",
  '"7"',
  "true",
  "[]",
  "{}",
] as const;

function changed(
  event: SentEvent | undefined,
  quirk: (typeof quirks)[number],
  random: Random,
): SentEvent {
  const { text, isWhole } = event ?? { text: "", isWhole: true };
  return { text: quirk(text, random), isWhole };
}

function eventsIn(text: string): string[] {
  return text.split("\n\n").flatMap((event) => (event === "" ? [] : [`${event}\n\n`]));
}

const ends: Record<FakeWire["provider"]["kind"], RegExp> = {
  anthropic: /["']stop_reason["']: ?["']|message_stop/,
  google: /["']finishReason["']: ?["']/,
  openai: /["']finish_reason["']: ?["'][^"']/,
  compatible: /["']finish_reason["']: ?["'][^"']/,
  local: /["']finish_reason["']: ?["'][^"']/,
};

/** An end of another protocol is none. */
function isEnd(event: string, { provider: { kind, api } }: FakeWire): boolean {
  const end = api === "responses" ? /response\.completed/ : ends[kind];
  return end.test(event) || /^(?:.*\n)?data: ?(?:data: )?\[done]/i.test(event);
}

/** An uncertain end may be followed by more words. */
function isSure(events: readonly string[]): boolean {
  return events.some((event) => /message_stop|response\.completed|\[done]/i.test(event));
}

/** Enough of one that was cut off is named as well. */
function isError({ text, isWhole }: SentEvent): boolean {
  return isWhole ? text.includes("Not now.") : /error|detail|Not n/.test(text);
}

function cut(bytes: Uint8Array, random: Random): Uint8Array[] {
  // Each piece costs a write.
  const longest = bytes.length < 600 ? random.of([1, 7, 60]) : random.of([40, 400, 4_000]);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + random.below(longest);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
