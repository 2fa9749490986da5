"use client";

import { Globe } from "lucide-react";
import { useRouter } from "next/navigation";
import { useModels } from "@/app/_data/models/use-models";
import { IconButton } from "@/app/_ui/button";
import { MenuCheck, MenuItem } from "@/app/_ui/menu";
import { inSpace } from "@/app/_ui/page-space";
import { webNeeds } from "./web-needs";

export interface WebSwitchProps {
  readonly model: string | null;
  readonly web: boolean | undefined;
  /** `undefined` follows the settings. */
  readonly onChange: (web: boolean | undefined) => void;
}

const title = "Search the web";

function useWeb({ model: ref, web, onChange }: WebSwitchProps) {
  const { data } = useModels();
  const model = data?.models.find((each) => each.ref === (ref ?? data.defaultModel));
  if (!data || !model || (model.isDemo && !data.web.hasServer)) return null;
  const needs = webNeeds(model, data.web);
  const isOnInSettings = data.web.search !== "off" || data.web.readPages !== "off";
  const isOn = web ?? isOnInSettings;
  return {
    needs,
    isOn,
    isShown: needs === null || isOn || isOnInSettings,
    turn: () => onChange(isOn === isOnInSettings ? !isOn : undefined),
  };
}

const notes = {
  on: "On for this chat. Changes to memory ask first.",
  off: "Off for this chat.",
} as const;

export function WebSwitch(props: WebSwitchProps) {
  const state = useWeb(props);
  if (!state?.isShown) return null;
  const { needs, isOn, turn } = state;
  const note = isOn ? (needs ?? notes.on) : notes.off;
  return (
    <IconButton
      label={title}
      aria-description={note}
      data-tooltip={`${title}: ${note}`}
      tooltip="top"
      aria-pressed={isOn}
      className={`max-sm:hidden ${isOn && needs !== null ? "text-warn-fill!" : ""}`}
      onClick={turn}
    >
      <Globe aria-hidden />
    </IconButton>
  );
}

export function WebItems(props: WebSwitchProps) {
  const router = useRouter();
  const state = useWeb(props);
  if (!state) return null;
  const { needs, isOn, isShown, turn } = state;
  return (
    <>
      {isShown && (
        <MenuCheck icon={<Globe aria-hidden />} checked={isOn} onChange={turn}>
          {title}
        </MenuCheck>
      )}
      {needs !== null && (
        <MenuItem
          icon={<Globe aria-hidden />}
          note={<span className="whitespace-normal">{needs}</span>}
          onSelect={() => router.push(inSpace("/settings?section=tools"))}
        >
          Set up web search
        </MenuItem>
      )}
    </>
  );
}
