import { createContext, type ReactNode, use } from "react";

export interface MenuItemProps {
  icon?: ReactNode;
  note?: ReactNode;
  shortcut?: readonly string[];
  danger?: boolean;
  onSelect: () => void;
  children: ReactNode;
}

export interface MenuChoiceProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: ReactNode }[];
}

export interface MenuCheckProps {
  icon?: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
}

export interface MenuLabelProps {
  children: ReactNode;
}

export interface MenuParts {
  readonly Item: (props: MenuItemProps) => ReactNode;
  readonly Choice: <Value extends string>(props: MenuChoiceProps<Value>) => ReactNode;
  readonly Check: (props: MenuCheckProps) => ReactNode;
  readonly Label: (props: MenuLabelProps) => ReactNode;
  readonly Separator: () => ReactNode;
}

export const MenuPartsContext = createContext<MenuParts | null>(null);

export function useMenuParts(): MenuParts {
  const parts = use(MenuPartsContext);
  if (!parts) throw new Error("A menu item is outside a menu.");
  return parts;
}
