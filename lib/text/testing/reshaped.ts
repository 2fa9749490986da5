import type { Random } from "@/lib/text/testing/random";

type Container = Record<string, unknown>;

/** A JSON text with one to three of its values, at any depth, in a form that no product has: its words stay. */
export function reshaped(text: string, random: Random): string {
  const root: Container = { value: JSON.parse(text) };
  for (let left = 1 + random.below(3); left > 0; left--) {
    const places = placesIn(root);
    const [container, key] = places[random.below(places.length)] ?? [root, "value"];
    random.of(reshapings)(container, key);
  }
  return JSON.stringify(root.value) ?? "";
}

function placesIn(root: Container): readonly (readonly [Container, string])[] {
  const places: (readonly [Container, string])[] = [];
  const waiting = [root];
  for (let container = waiting.pop(); container; container = waiting.pop())
    for (const [key, value] of Object.entries(container)) {
      places.push([container, key]);
      if (typeof value === "object" && value !== null) waiting.push(value as Container);
    }
  return places;
}

type Reshaping = (container: Container, key: string) => void;

const put =
  (change: (value: unknown) => unknown): Reshaping =>
  (container, key) => {
    container[key] = change(container[key]);
  };

const reshapings: readonly [Reshaping, ...Reshaping[]] = [
  put((value) => [value]),
  put((value) => ({ value })),
  put((value) => ({ type: "later", items: [value] })),
  put((value) => JSON.stringify(value)),
  put((value) => (Array.isArray(value) ? { ...value } : [value, value])),
  put((value) => (typeof value === "string" ? value : null)),
  put((value) => (typeof value === "string" ? value : 1e308)),
  (container, key) => {
    container[`${key}_v2`] = container[key];
    container[key] = undefined;
  },
  (container, key) => {
    const [other = key] = Object.keys(container);
    [container[key], container[other]] = [container[other], container[key]];
  },
];
