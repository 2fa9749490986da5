export interface ReleaseWire {
  version: string;
  date: string;
  changes: string[];
}

export interface AboutWire {
  version: string;
  releases: ReleaseWire[];
  isNew: boolean;
  figures: {
    databaseBytes: number;
    running: number;
    lastBackupAt: string | null;
    postgres: string;
    node: string;
  } | null;
}
