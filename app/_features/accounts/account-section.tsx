"use client";

import { useState } from "react";
import { api } from "@/app/_api/api";
import { toastError } from "@/app/_api/toast-error";
import { ConfirmPerson, whenConfirmed } from "@/app/_data/accounts/confirm-person";
import { canUsePasskeys, createPasskey } from "@/app/_data/accounts/passkeys";
import { useAccount, useAccountChange } from "@/app/_data/accounts/use-account";
import { wasDismissed } from "@/app/_data/forms/use-form";
import { SectionPending } from "@/app/_data/settings/section-pending";
import { Badge } from "@/app/_ui/badge";
import { Button } from "@/app/_ui/button";
import { RelativeTime } from "@/app/_ui/relative-time";
import {
  SettingsCard,
  SettingsGroup,
  SettingsLine,
  SettingsSection,
} from "@/app/_ui/settings-section";
import type { AccountWire, DeviceWire } from "@/lib/chat/wire/accounts";
import { DeleteAccountDialog } from "./delete-account-dialog";
import { leftWords } from "./limit-words";
import { NameDialog, PasswordDialog, TwoFactorDialog } from "./own-dialogs";
import { SignOutButton } from "./sign-out-button";

type OpenedDialog = "name" | "password" | "two-factor" | "delete" | null;

export function AccountSection() {
  const account = useAccount();
  const [opened, setOpened] = useState<OpenedDialog>(null);
  if (!account.data) return <SectionPending query={account} />;
  const { data } = account;
  const close = () => setOpened(null);
  return (
    <SettingsSection
      title="Account"
      note="How you sign in, and where you are signed in. Your chats and memory belong to this account; nobody else here can read them."
    >
      <SettingsCard>
        <SettingsLine title={data.name} note={data.email}>
          <div className="flex gap-2">
            <Button size="sm" onClick={() => setOpened("name")}>
              Rename
            </Button>
            <SignOutButton />
          </div>
        </SettingsLine>
      </SettingsCard>
      <WaysIn account={data} onOpen={setOpened} />
      <Devices devices={data.devices} />
      {data.allowance && (
        <SettingsGroup
          title="Limits"
          note="Set by the administrators of this Grove. Months and days are those of UTC."
        >
          <SettingsCard>
            {leftWords(data.allowance).map((words) => (
              <SettingsLine key={words} title={words} />
            ))}
          </SettingsCard>
        </SettingsGroup>
      )}
      <SettingsGroup title="Delete account">
        <SettingsCard>
          <SettingsLine
            title="Delete this account"
            note="Downloads everything first, then deletes it here for good."
          >
            <Button size="sm" onClick={() => setOpened("delete")}>
              Delete…
            </Button>
          </SettingsLine>
        </SettingsCard>
      </SettingsGroup>
      <ConfirmPerson />
      {opened === "name" && <NameDialog name={data.name} onClose={close} />}
      {opened === "password" && <PasswordDialog onClose={close} />}
      {opened === "two-factor" && <TwoFactorDialog isOn={data.hasTwoFactor} onClose={close} />}
      {opened === "delete" && <DeleteAccountDialog email={data.email} onClose={close} />}
    </SettingsSection>
  );
}

function WaysIn({
  account,
  onOpen,
}: {
  account: AccountWire;
  onOpen: (opened: OpenedDialog) => void;
}) {
  const adding = useAccountChange((name: string) => whenConfirmed(() => createPasskey(name)));
  const removing = useAccountChange((passkeyId: string) =>
    whenConfirmed(() => api("DELETE /api/account/passkeys/:passkeyId", { params: { passkeyId } })),
  );
  const leaving = useAccountChange((loginId: string) =>
    whenConfirmed(() => api("DELETE /api/account/logins/:loginId", { params: { loginId } })),
  );
  const join = async (provider: string) => {
    try {
      const { page } = await whenConfirmed(() =>
        api("POST /api/account/logins", { body: { provider } }),
      );
      location.assign(page);
    } catch (error) {
      if (!wasDismissed(error)) toastError(error);
    }
  };
  return (
    <SettingsGroup title="Ways to sign in">
      <SettingsCard>
        {account.hasPassword && (
          <SettingsLine title="Password" note="Changing it signs every other device out.">
            <Button size="sm" onClick={() => onOpen("password")}>
              Change
            </Button>
          </SettingsLine>
        )}
        {account.hasPassword && (
          <SettingsLine
            title={
              <>Two-factor sign-in {account.hasTwoFactor && <Badge tone="accent">On</Badge>}</>
            }
            note="A code from an authenticator app after the password."
          >
            <Button size="sm" onClick={() => onOpen("two-factor")}>
              {account.hasTwoFactor ? "Turn off" : "Turn on"}
            </Button>
          </SettingsLine>
        )}
        {account.passkeys.map(({ id, name }) => (
          <SettingsLine key={id} title={name} note="Passkey">
            <Button size="sm" aria-label={`Remove ${name}`} onClick={() => removing.mutate(id)}>
              Remove
            </Button>
          </SettingsLine>
        ))}
        <SettingsLine
          title="Passkeys"
          note="Sign in with your fingerprint, face or screen lock. Needs https and a host name."
        >
          <Button
            size="sm"
            busy={adding.isPending}
            disabled={!canUsePasskeys()}
            onClick={() => adding.mutate(deviceName(navigator.userAgent))}
          >
            Add passkey
          </Button>
        </SettingsLine>
        {account.joined.map(({ id, name }) => (
          <SettingsLine key={id} title={name} note="Connected">
            <Button size="sm" aria-label={`Disconnect ${name}`} onClick={() => leaving.mutate(id)}>
              Disconnect
            </Button>
          </SettingsLine>
        ))}
        {account.joinable.map(({ id, name }) => (
          <SettingsLine key={id} title={name} note="Not connected">
            <Button size="sm" aria-label={`Connect ${name}`} onClick={() => void join(id)}>
              Connect
            </Button>
          </SettingsLine>
        ))}
      </SettingsCard>
    </SettingsGroup>
  );
}

function Devices({ devices }: { devices: readonly DeviceWire[] }) {
  const ending = useAccountChange((deviceId: string | null) =>
    deviceId === null
      ? api("DELETE /api/account/devices")
      : api("DELETE /api/account/devices/:deviceId", { params: { deviceId } }),
  );
  return (
    <SettingsGroup
      title="Devices"
      note="Signing one out takes effect at once."
      action={
        devices.length > 1 && (
          <Button size="sm" onClick={() => ending.mutate(null)} busy={ending.isPending}>
            Sign out all others
          </Button>
        )
      }
    >
      <SettingsCard>
        {devices.map((device) => (
          <SettingsLine
            key={device.id}
            title={
              <>
                {deviceName(device.userAgent)}
                {device.isThis && <Badge tone="accent">This device</Badge>}
              </>
            }
            note={
              <>
                {device.address ?? "unknown address"} · used <RelativeTime at={device.usedAt} />
              </>
            }
          >
            {!device.isThis && (
              <Button
                size="sm"
                aria-label={`Sign out ${deviceName(device.userAgent)}`}
                onClick={() => ending.mutate(device.id)}
              >
                Sign out
              </Button>
            )}
          </SettingsLine>
        ))}
      </SettingsCard>
    </SettingsGroup>
  );
}

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, "Edge"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
];

function deviceName(userAgent: string | null): string {
  const found = (list: typeof browsers) =>
    list.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1];
  const [browser, system] = [found(browsers), found(systems)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown device";
}
