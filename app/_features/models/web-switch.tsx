"use client";

import { Globe } from "lucide-react";
import { useRouter } from "next/navigation";
import { useModels } from "@/app/_data/models/use-models";
import { IconButton } from "@/app/_ui/button";
import { MenuCheck, MenuItem } from "@/app/_ui/menu";
import { webNeeds } from "./web-needs";

export interface WebSwitchProps {
  readonly model: string | null;
  /** The chat's own choice. */
  readonly web: boolean | undefined;
  readonly onChange: (web: boolean) => void;
}

const title = "Search the web";

function useWeb({ model: ref, web }: WebSwitchProps) {
  const { data } = useModels();
  const model = data?.models.find((each) => each.ref === (ref ?? data.defaultModel));
  if (!data || !model || (model.isDemo && !data.web.hasServer)) return null;
  return { needs: webNeeds(model, data.web), isOn: web ?? data.web.policy !== "off" };
}

const notes = {
  on: "On for this chat. Changes to memory ask first.",
  off: "Off for this chat.",
} as const;

/** Hidden while it could not be used; the model menu then says what it needs. */
export function WebSwitch(props: WebSwitchProps) {
  const state = useWeb(props);
  if (!state || (state.needs !== null && !state.isOn)) return null;
  const { needs, isOn } = state;
  const note = needs ?? (isOn ? notes.on : notes.off);
  return (
    <IconButton
      label={title}
      aria-description={note}
      data-tooltip={`${title}: ${note}`}
      tooltip="top"
      aria-pressed={isOn}
      className={`max-sm:hidden ${needs === null ? "" : "text-warn-fill!"}`}
      onClick={() => props.onChange(!isOn)}
    >
      <Globe aria-hidden />
    </IconButton>
  );
}

/** In the menu of a phone's composer. */
export function WebItems(props: WebSwitchProps) {
  const router = useRouter();
  const state = useWeb(props);
  if (!state) return null;
  const { needs, isOn } = state;
  return (
    <>
      {(needs === null || isOn) && (
        <MenuCheck icon={<Globe aria-hidden />} checked={isOn} onChange={props.onChange}>
          {title}
        </MenuCheck>
      )}
      {needs !== null && (
        <MenuItem
          icon={<Globe aria-hidden />}
          note={<span className="whitespace-normal">{needs}</span>}
          onSelect={() => router.push("/settings?section=tools")}
        >
          Set up web search
        </MenuItem>
      )}
    </>
  );
}
