/** Keeps `services.json` true while processes come and go. */
import { self, type ProcessIdentity } from "./process-identity.js";
import type { ServiceProcess } from "./service-process.js";
import {
  removeServices,
  SERVICE_NAMES,
  SERVICES_SCHEMA,
  writeServices,
  type ServiceName,
  type Services,
} from "./services-file.js";

export type Places = Omit<Services, "schema" | "pids" | "processes">;

export interface ServicesRecord {
  /** Notes a process until it ends; its successor is noted by another call. */
  note(name: ServiceName, process: ServiceProcess): void;
  /** Corrects a place that is another one after all. */
  moved(places: Partial<Places>): void;
  current(): Services;
  /** Removes the file and notes nothing more. */
  close(): void;
}

export function openRecord(dataDir: string, first: Places): ServicesRecord {
  let places = first;
  const processes = new Map<ServiceName, ProcessIdentity>();
  const supervisor = self();
  let open = true;
  const current = (): Services => {
    const pidOf = (name: ServiceName): number | null => processes.get(name)?.pid ?? null;
    return {
      schema: SERVICES_SCHEMA,
      ...places,
      pids: {
        supervisor: supervisor.pid,
        ...(Object.fromEntries(SERVICE_NAMES.map((name) => [name, pidOf(name)])) as Record<
          ServiceName,
          number | null
        >),
      },
      processes: { supervisor, ...Object.fromEntries(processes) },
    };
  };
  const save = (): void => {
    if (open) writeServices(dataDir, current());
  };
  save();
  return {
    current,
    moved: (corrected) => {
      places = { ...places, ...corrected };
      save();
    },
    note: (name, process) => {
      processes.set(name, process.identity);
      save();
      process.ended.addEventListener("abort", () => {
        if (processes.get(name) !== process.identity) return;
        processes.delete(name);
        save();
      });
    },
    close: () => {
      open = false;
      removeServices(dataDir);
    },
  };
}
