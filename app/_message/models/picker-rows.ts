import type { ModelsWire, ModelWire } from "@/lib/chat/wire/settings";

export type PickerRow =
  | { readonly kind: "heading"; readonly key: string; readonly label: string }
  | { readonly kind: "automatic"; readonly key: "automatic" }
  | { readonly kind: "typed"; readonly key: string; readonly ref: string; readonly name: string }
  | ModelRow;

export interface ModelRow {
  readonly kind: "model";
  readonly key: string;
  readonly group: "marked" | "provider";
  readonly model: ModelWire;
}

export interface PickerRowsInput {
  readonly models: readonly ModelWire[];
  readonly unlisted: ModelsWire["unlisted"];
  readonly query: string;
  readonly recent: readonly string[];
  readonly hasAutomatic: boolean;
  readonly showsHidden: boolean;
  readonly chosen: readonly string[];
}

const recentCount = 5;

// GPT-4 comes before GPT-10.
const naturally = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

export function pickerRows(input: PickerRowsInput): readonly PickerRow[] {
  const { query, recent, hasAutomatic } = input;
  const listed = listedModels(input);
  const groups = [...Map.groupBy(listed, ({ provider }) => provider)].flatMap(([provider, own]) =>
    group(provider, own.toSorted(byLabel), `provider ${provider}`),
  );
  if (query.trim() !== "") return [...groups, ...typedRows(input)];
  const favorites = listed.filter(({ isFavorite }) => isFavorite).toSorted(byLabel);
  const used = recent
    .flatMap((ref) => listed.find((model) => model.ref === ref) ?? [])
    .filter(({ isFavorite }) => !isFavorite)
    .slice(0, recentCount);
  return [
    ...(hasAutomatic ? [{ kind: "automatic", key: "automatic" } as const] : []),
    ...group("Favorites", favorites, "favorites"),
    ...group("Recent", used, "recent"),
    ...groups,
  ];
}

/** Returns the chosen models that no list has, though the list of their provider is whole. */
export function missingModels(
  chosen: readonly string[],
  { models, unlisted }: Pick<PickerRowsInput, "models" | "unlisted">,
): readonly string[] {
  return chosen.filter(
    (chose) =>
      !models.some(({ ref }) => ref === chose) &&
      !unlisted.some(({ provider }) => chose.startsWith(`${provider}/`)),
  );
}

function typedRows({ models, unlisted, query }: PickerRowsInput): PickerRow[] {
  const name = query.trim();
  if (/\s/.test(name)) return [];
  return unlisted.flatMap(({ provider, label }): PickerRow[] => {
    const ref = `${provider}/${name}`;
    if (models.some((model) => model.ref === ref)) return [];
    return [
      { kind: "heading", key: `typed ${provider}`, label: `${label}: not in its list` },
      { kind: "typed", key: `typed ${ref}`, ref, name },
    ];
  });
}

export function hiddenCount(input: PickerRowsInput): number {
  return listedModels({ ...input, showsHidden: true }).length - listedModels(input).length;
}

function listedModels({
  models,
  query,
  showsHidden,
  chosen,
}: PickerRowsInput): readonly ModelWire[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return models.filter((model) => {
    if (model.isHidden && !showsHidden && !chosen.includes(model.ref)) return false;
    if (words.length === 0) return true;
    const text = `${model.label} ${model.provider} ${model.ref}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function byLabel(one: ModelWire, other: ModelWire): number {
  return naturally.compare(one.label, other.label) || naturally.compare(one.ref, other.ref);
}

function group(label: string, models: readonly ModelWire[], key: string): PickerRow[] {
  if (models.length === 0) return [];
  return [
    { kind: "heading", key, label },
    ...models.map(
      (model): ModelRow => ({
        kind: "model",
        key: `${key} ${model.ref}`,
        group: key.startsWith("provider ") ? "provider" : "marked",
        model,
      }),
    ),
  ];
}

export function rowAfter(rows: readonly PickerRow[], from: number, by: number): number {
  const step = Math.sign(by);
  let index = from;
  let left = Math.abs(by);
  for (let next = from + step; left > 0 && rows[next]; next += step) {
    if (rows[next]?.kind === "heading") continue;
    index = next;
    left -= 1;
  }
  return index;
}
