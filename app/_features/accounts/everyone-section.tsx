"use client";

import { useState } from "react";
import { api } from "@/app/_api/api";
import { ConfirmPerson } from "@/app/_data/accounts/confirm-person";
import { usePeople, usePeopleChange, useSavePeople } from "@/app/_data/accounts/use-account";
import { useHouse, useSaveHouse } from "@/app/_data/accounts/use-house";
import { FormDialog } from "@/app/_data/forms/form-dialog";
import { useForm } from "@/app/_data/forms/use-form";
import { keyWords } from "@/app/_data/settings/key-words";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { Button } from "@/app/_ui/button";
import { InputField, SecretField } from "@/app/_ui/fields";
import {
  SettingsCard,
  SettingsGroup,
  SettingsLine,
  SettingsSection,
} from "@/app/_ui/settings-section";
import { SwitchLine } from "@/app/_ui/toggles";
import type {
  HouseName,
  HouseSettingWire,
  HouseWire,
  LimitsWire,
  PeopleWire,
} from "@/lib/chat/wire/accounts";
import { limitWords } from "./limit-words";
import { LimitsDialog } from "./limits-dialog";

const fixed = "Set in the server's environment";

/** Without accounts, the one person administers Grove, and gives keys in Models. */
export function EveryoneSection({ hasPeople }: { hasPeople: boolean }) {
  const query = useHouse();
  if (!query.data) return <SectionPending query={query} />;
  const { house } = query.data;
  return (
    <SettingsSection
      title={hasPeople ? "For everyone" : "Server"}
      note={
        hasPeople
          ? "Models, limits, files and backups of this Grove. Only administrators see this page."
          : "Local models, files and backups of this Grove."
      }
    >
      {hasPeople ? (
        <OfPeople house={house} />
      ) : (
        <SettingsCard>
          <DiscoverySwitch house={house} />
          <FileSizeLine house={house} />
        </SettingsCard>
      )}
      <SettingsGroup title="Backups" note="Where they are stored is set on the server.">
        <SettingsCard>
          <ValueLine
            house={house}
            name="GROVE_BACKUP_EVERY"
            title="Back up every"
            unit=""
            hint="A time such as 30m, 12h or 1d. 0 makes none."
          />
          <ValueLine
            house={house}
            name="GROVE_BACKUP_KEEP"
            title="Backups to keep"
            unit="backups"
            hint="After the next scheduled backup, older ones are deleted."
          />
        </SettingsCard>
      </SettingsGroup>
      <ConfirmPerson />
    </SettingsSection>
  );
}

function OfPeople({ house }: { house: House }) {
  const people = usePeople();
  if (!people.data) return <SectionPending query={people} />;
  const { environmentKeys, limits } = people.data;
  return (
    <>
      <SettingsGroup title="Models">
        <SettingsCard>
          <ModelsSwitch environmentKeys={environmentKeys} />
          <KeyLine house={house} name="OPENAI_API_KEY" title="OpenAI" />
          <KeyLine house={house} name="ANTHROPIC_API_KEY" title="Anthropic" />
          <KeyLine house={house} name="GOOGLE_GENERATIVE_AI_API_KEY" title="Google" />
          <DiscoverySwitch house={house} />
        </SettingsCard>
      </SettingsGroup>
      <SettingsGroup title="Limits">
        <SettingsCard>
          <LimitsLine limits={limits} />
          <ValueLine
            house={house}
            name="GROVE_UNPRICED_INPUT_DOLLARS"
            title="Input without a known price"
            unit="dollars for a million tokens"
          />
          <ValueLine
            house={house}
            name="GROVE_UNPRICED_OUTPUT_DOLLARS"
            title="Output without a known price"
            unit="dollars for a million tokens"
          />
          <FileSizeLine house={house} />
        </SettingsCard>
      </SettingsGroup>
    </>
  );
}

function FileSizeLine({ house }: { house: House }) {
  return <ValueLine house={house} name="GROVE_MAX_FILE_MB" title="Largest file" unit="MB" />;
}

type House = HouseWire["house"];

function settingOf(house: House, name: HouseName): HouseSettingWire {
  return (
    house.find((setting) => setting.name === name) ?? {
      name,
      value: null,
      isFixed: false,
      usual: "",
    }
  );
}

function ModelsSwitch({ environmentKeys }: Pick<PeopleWire, "environmentKeys">) {
  const deciding = usePeopleChange((next: "everyone" | "admins") =>
    api("PATCH /api/people", { body: { environmentKeys: next } }),
  );
  return (
    <div className="px-4 py-3">
      <SwitchLine
        label="Everyone may use these models"
        note="Off: only administrators. People can always add keys of their own."
        checked={environmentKeys === "everyone"}
        onChange={(isOn) => deciding.mutate(isOn ? "everyone" : "admins")}
      />
    </div>
  );
}

function DiscoverySwitch({ house }: { house: House }) {
  const { name, value, isFixed } = settingOf(house, "GROVE_DISCOVER_LOCAL");
  const changing = useSaveHouse(name);
  return (
    <div className="px-4 py-3">
      <SwitchLine
        label="Detect local model servers"
        note={isFixed ? `${fixed}.` : "Ollama and its like on the server's machine."}
        checked={value !== "0"}
        disabled={isFixed}
        onChange={(isOn) => changing.mutate(isOn ? "1" : "0")}
      />
    </div>
  );
}

function LimitsLine({ limits }: Pick<PeopleWire, "limits">) {
  const [isLimiting, setIsLimiting] = useState(false);
  const limiting = useSavePeople((next: LimitsWire | null) =>
    api("PATCH /api/people", { body: { limits: next } }),
  );
  return (
    <SettingsLine
      title="Limits for everyone"
      note={limits ? limitWords(limits) : "No limits. Each person can have their own."}
    >
      <Button size="sm" aria-label="Change limits for everyone" onClick={() => setIsLimiting(true)}>
        Change
      </Button>
      {isLimiting && (
        <LimitsDialog
          name={null}
          limits={limits}
          save={limiting.mutateAsync}
          onClose={() => setIsLimiting(false)}
        />
      )}
    </SettingsLine>
  );
}

interface HouseLineProps {
  readonly house: House;
  readonly name: HouseName;
  readonly title: string;
}

function KeyLine({ house, name, title }: HouseLineProps) {
  const setting = settingOf(house, name);
  const note = keyWords(setting.value);
  return <ChangedLine {...{ setting, title, note }} label={`API key of ${title}`} isKey />;
}

interface ValueLineProps extends HouseLineProps {
  readonly unit: string;
  readonly hint?: string;
}

function ValueLine({ house, name, title, unit, hint }: ValueLineProps) {
  const setting = settingOf(house, name);
  const { value, usual } = setting;
  const isNever = value === "0" && name === "GROVE_BACKUP_EVERY";
  const isUnset = value === null && !isNumber(usual);
  const note = isNever || isUnset ? "Never" : `${value ?? usual} ${unit}`;
  return (
    <ChangedLine
      {...{ setting, title, hint }}
      note={note}
      label={unit ? `${title}, ${unit}` : title}
    />
  );
}

interface ChangedLineProps {
  readonly setting: HouseSettingWire;
  readonly title: string;
  readonly note: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly isKey?: boolean;
}

function ChangedLine(props: ChangedLineProps) {
  const { setting, title, note, isKey = false } = props;
  const [isChanging, setIsChanging] = useState(false);
  const removing = useSaveHouse(setting.name);
  const change = isKey && setting.value === null ? "Add key" : "Change";
  return (
    <SettingsLine title={title} note={setting.isFixed ? `${note} · ${fixed}` : note}>
      {!setting.isFixed && setting.value !== null && (
        <Button
          size="sm"
          aria-label={`${isKey ? "Remove the key" : "Use default"}: ${title}`}
          busy={removing.isPending}
          onClick={() => removing.mutate(null)}
        >
          {isKey ? "Remove" : "Use default"}
        </Button>
      )}
      {!setting.isFixed && (
        <Button size="sm" aria-label={`${change}: ${title}`} onClick={() => setIsChanging(true)}>
          {change}
        </Button>
      )}
      {isChanging && <HouseDialog {...props} onClose={() => setIsChanging(false)} />}
    </SettingsLine>
  );
}

/** The form shows the failure. */
const toForm = () => undefined;

function isNumber(text: string): boolean {
  return /^\d/.test(text);
}

function HouseDialog({
  setting: { name, value, usual },
  title,
  label,
  hint,
  isKey = false,
  onClose,
}: ChangedLineProps & { readonly onClose: () => void }) {
  const saving = useSaveHouse(name, toForm);
  const form = useForm({
    initial: { value: isKey ? "" : (value ?? (isNumber(usual) ? usual : "")) },
    save: (typed) => saving.mutateAsync(typed.value.trim()),
    fieldOf: () => "value",
    onSaved: onClose,
  });
  const Field = isKey ? SecretField : InputField;
  return (
    <FormDialog form={form} title={title} saveLabel="Save" onClose={onClose}>
      <Field label={label} hint={hint} required {...form.text("value")} />
    </FormDialog>
  );
}
