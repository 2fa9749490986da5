"use client";

import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { useModels } from "@/app/_data/models/use-models";
import { ModelPicker } from "@/app/_message/models/model-picker";
import type { AssistantRef, AssistantWire } from "@/lib/chat/wire/assistants";
import type { ModelParameters } from "@/lib/chat/wire/request-fields";

const ParametersPanel = dynamic(() =>
  import("./parameters-panel").then((part) => part.ParametersPanel),
);
const ModelMenuFoot = dynamic(() => import("./model-menu-foot").then((part) => part.ModelMenuFoot));

export interface ModelMenuProps {
  readonly value: string | null;
  readonly onChange: (ref: string | null) => void;
  readonly together: readonly string[];
  readonly onTogether: (refs: readonly string[]) => void;
  readonly parameters: ModelParameters;
  readonly onParameters: (parameters: ModelParameters) => void;
  readonly assistant: AssistantRef | null;
  readonly onAssistant: (assistant: AssistantWire | null) => void;
}

export function ModelMenu(props: ModelMenuProps) {
  const { value, onChange, together, onTogether, parameters, onParameters } = props;
  const { assistant, onAssistant } = props;
  const { data } = useModels();
  const button = useRef<HTMLButtonElement>(null);
  const [showsMore, setShowsMore] = useState(false);
  const ref = value ?? data?.defaultModel;
  const model = data?.models.find((each) => each.ref === ref) ?? null;
  return (
    <>
      <ModelPicker
        button={button}
        value={value}
        onChange={onChange}
        together={together}
        onTogether={onTogether}
        assistant={assistant?.name ?? null}
        parametersSet={Object.keys(parameters).length}
        foot={(close) => (
          <ModelMenuFoot
            model={model}
            web={data?.web}
            parameters={parameters}
            onChange={onParameters}
            assistant={assistant}
            onAssistant={onAssistant}
            onMore={() => {
              close();
              setShowsMore(true);
            }}
          />
        )}
      />
      {showsMore && (
        <ParametersPanel
          anchor={button}
          model={model}
          modelRef={value}
          parameters={parameters}
          onChange={onParameters}
          onAssistant={onAssistant}
          onClose={() => setShowsMore(false)}
        />
      )}
    </>
  );
}
