import { z } from "zod";
import type { SettingsStore } from "@/lib/chat/settings/settings-store";
import { type ToolPolicy, type ToolsWire, toolPolicySchema } from "@/lib/chat/wire/tools";
import type { OwnerTool, ToolSource } from "./tool-source";

export interface ChosenTool {
  readonly tool: OwnerTool;
  readonly policy: ToolPolicy;
}

const policiesSchema = z.record(z.string(), toolPolicySchema.catch("off")).catch({});

/** The tools of one owner beyond memory, with what the person chose for each. */
export class OwnerTools {
  readonly #settings: SettingsStore;
  readonly #sources: readonly ToolSource[];
  #policies: Promise<Readonly<Record<string, ToolPolicy>>> | null = null;

  constructor(settings: SettingsStore, sources: readonly ToolSource[]) {
    this.#settings = settings;
    this.#sources = sources;
  }

  /** Call after the owner's settings have changed. */
  forget(): void {
    this.#policies = null;
  }

  /** In the order of the sources. Of two with one name, the first counts. */
  async list(): Promise<ChosenTool[]> {
    if (this.#sources.length === 0) return [];
    const [policies, ...tools] = await Promise.all([
      this.#chosen(),
      ...this.#sources.map((source) => source.tools()),
    ]);
    const byName = new Map(
      tools
        .flat()
        .map((tool) => [tool.name, tool])
        .toReversed() as [string, OwnerTool][],
    );
    return [...byName.values()].toReversed().map((tool) => {
      return { tool, policy: policies[tool.name] ?? tool.defaultPolicy };
    });
  }

  async choose(policies: Readonly<Record<string, ToolPolicy>>): Promise<void> {
    const { toolPolicies } = await this.#settings.read();
    await this.#settings.change({
      toolPolicies: { ...policiesSchema.parse(toolPolicies), ...policies },
    });
    this.forget();
  }

  /** Read once: an answer waits for it. */
  #chosen(): Promise<Readonly<Record<string, ToolPolicy>>> {
    const reading =
      this.#policies ??
      this.#settings.read().then(({ toolPolicies }) => policiesSchema.parse(toolPolicies ?? {}));
    this.#policies = reading;
    reading.catch(() => {
      if (this.#policies === reading) this.#policies = null;
    });
    return reading;
  }
}

export async function toolsView(tools: OwnerTools): Promise<ToolsWire> {
  const listed = await tools.list();
  return {
    tools: listed.map(({ tool: { name, title, note, origin }, policy }) => {
      return { name, title, note, origin, policy };
    }),
  };
}
