import Link from "next/link";
import { assistantLabel, useAssistants } from "@/app/_data/assistants/use-assistants";
import { effortLabels, parameterLabels } from "@/app/_data/models/parameter-form";
import { Button } from "@/app/_ui/button";
import { inSpace } from "@/app/_ui/page-space";
import { SelectField } from "@/app/_ui/select";
import type { AssistantRef, AssistantWire } from "@/lib/chat/wire/assistants";
import type { ModelParameters } from "@/lib/chat/wire/request-fields";
import type { ModelsWire, ModelWire } from "@/lib/chat/wire/settings";
import { ParameterChoice, withParameter } from "./parameter-choice";
import { webNeeds } from "./web-needs";

export interface ModelMenuFootProps {
  readonly model: ModelWire | null;
  readonly web: ModelsWire["web"] | undefined;
  readonly parameters: ModelParameters;
  readonly onChange: (parameters: ModelParameters) => void;
  readonly assistant: AssistantRef | null;
  readonly onAssistant: (assistant: AssistantWire | null) => void;
  readonly onMore: () => void;
}

export function ModelMenuFoot(props: ModelMenuFootProps) {
  const { model, web } = props;
  const needs = model && web && !model.isDemo ? webNeeds(model, web) : null;
  return (
    <>
      {needs !== null && (
        <p className="border-line border-t px-4 py-2 text-muted text-xs">
          Search the web: {needs}{" "}
          <Link href={inSpace("/settings?section=tools")} className="text-accent underline">
            Connections
          </Link>
        </p>
      )}
      <AssistantSelect {...props} />
      <Parameters {...props} />
    </>
  );
}

const nobody = "none";

/** One that is chosen and gone stays in the list, as the chat goes on with it. */
function AssistantSelect({
  assistant,
  onAssistant,
}: Pick<ModelMenuFootProps, "assistant" | "onAssistant">) {
  const { data } = useAssistants();
  const listed = (data?.assistants ?? []).filter(({ problem }) => problem === null);
  const isGone = assistant !== null && !listed.some(({ key }) => key === assistant.key);
  return (
    <div className="border-line border-t px-4 py-2">
      <SelectField
        label="Assistant"
        value={assistant?.key ?? nobody}
        options={[
          { value: nobody, label: "None" },
          ...(isGone ? [{ value: assistant.key, label: `${assistant.name} (deleted)` }] : []),
          ...listed.map((each) => ({
            value: each.key,
            label: assistantLabel(each),
            note: each.description,
          })),
        ]}
        onChange={(key) => {
          const chosen = listed.find((each) => each.key === key);
          if (chosen || key === nobody) onAssistant(chosen ?? null);
        }}
      />
    </div>
  );
}

function Parameters({ model, parameters, onChange, onMore }: ModelMenuFootProps) {
  const efforts = model?.parameters.reasoning;
  const others = Object.keys(parameters).filter((name) => name !== "reasoning").length;
  const more = others === 0 ? "More…" : `More… (${others} set)`;
  if (!efforts) {
    return (
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={onMore}
        className="min-h-10 pointer-coarse:min-h-11 shrink-0 border-line border-t px-4 text-left text-sm -outline-offset-2 hover:bg-hover"
      >
        {more}
      </button>
    );
  }
  return (
    <div className="flex items-end gap-3 border-line border-t px-4 py-2">
      <div className="min-w-0 flex-1">
        <ParameterChoice
          label={parameterLabels.reasoning}
          values={efforts}
          labels={effortLabels}
          value={parameters.reasoning}
          onChange={(reasoning) => onChange(withParameter(parameters, { reasoning }))}
        />
      </div>
      <Button size="sm" variant="ghost" aria-haspopup="dialog" onClick={onMore}>
        {more}
      </Button>
    </div>
  );
}
