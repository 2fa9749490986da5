import { z } from "zod";
import { KeyedSettings } from "@/lib/chat/core/keyed-settings";
import type { SettingsStore } from "@/lib/chat/core/settings-store";
import type { ChosenTool, ChosenTools, OwnerTool, ToolSource } from "@/lib/chat/core/tool-source";
import {
  type ToolPolicy,
  type ToolWire,
  toolPolicySchema,
  webSearchName,
} from "@/lib/chat/wire/tools";

const choiceSchema = z
  .object({ policy: toolPolicySchema, version: z.string().default("") })
  .catch({ policy: "off", version: "" });
type Choices = ReadonlyMap<string, z.output<typeof choiceSchema>>;

const choices = new KeyedSettings("tool:", choiceSchema, {
  older: ({ toolPolicies }) =>
    Object.entries(z.record(z.string(), z.unknown()).catch({}).parse(toolPolicies)),
});

export class OwnerTools implements ChosenTools {
  readonly #settings: SettingsStore;
  readonly #sources: readonly ToolSource[];
  #choices: Promise<Choices> | null = null;

  constructor(settings: SettingsStore, sources: readonly ToolSource[]) {
    this.#settings = settings;
    this.#sources = sources;
  }

  forget(): void {
    this.#choices = null;
    for (const source of this.#sources) source.forget?.();
  }

  async list({ web }: { web?: boolean | undefined } = {}): Promise<ChosenTool[]> {
    if (this.#sources.length === 0) return [];
    const [chosen, ...tools] = await Promise.all([
      this.#chosen(),
      ...this.#sources.map((source) => source.tools()),
    ]);
    const seen = new Set<string>();
    return tools.flat().flatMap((tool) => {
      if (seen.has(tool.name)) return [];
      seen.add(tool.name);
      return [inChat(chosenTool(tool, chosen), web)];
    });
  }

  async chosenPolicy(name: string): Promise<ToolPolicy | null> {
    return (await this.#chosen()).get(name)?.policy ?? null;
  }

  async choose(policies: Readonly<Record<string, ToolPolicy>>): Promise<void> {
    const listed = await this.list();
    const made = Object.entries(policies).map(([name, policy]) => {
      const version = listed.find(({ tool }) => tool.name === name)?.tool.version ?? "";
      return [name, { policy, version }] as const;
    });
    await this.#settings.change(choices.changes(Object.fromEntries(made)));
    this.forget();
  }

  /** Choices are read once: an answer waits for them. */
  #chosen(): Promise<Choices> {
    const reading =
      this.#choices ?? this.#settings.read().then((settings) => choices.read(settings));
    this.#choices = reading;
    reading.catch(() => {
      if (this.#choices === reading) this.#choices = null;
    });
    return reading;
  }
}

function chosenTool(tool: OwnerTool, chosen: Choices): ChosenTool {
  const choice = chosen.get(tool.name);
  if (!choice) return { tool, policy: tool.defaultPolicy, isChanged: false };
  const isChanged = choice.policy === "on" && choice.version !== (tool.version ?? "");
  return { tool, policy: isChanged ? "ask" : choice.policy, isChanged };
}

/** The web on for a chat means its search. An address can carry what the model knows, so that reading one asks first. */
function inChat(each: ChosenTool, web: boolean | undefined): ChosenTool {
  if (web === undefined || each.tool.origin.kind !== "web") return each;
  if (!web) return { ...each, policy: "off" };
  if (each.policy !== "off") return each;
  return { ...each, policy: each.tool.name === webSearchName ? "on" : "ask" };
}

export function policyIn(settings: Readonly<Record<string, unknown>>, name: string): ToolPolicy {
  return choices.read(settings).get(name)?.policy ?? "off";
}

export async function toolsWire(tools: ChosenTools): Promise<ToolWire[]> {
  const listed = await tools.list();
  return listed.map(({ tool, policy, isChanged }) => {
    const { name, title, note, origin, serverId = null, tokens = null } = tool;
    return { name, title, note, origin, policy, isChanged, serverId, tokens };
  });
}
