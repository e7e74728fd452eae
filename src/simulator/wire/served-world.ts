/** The world as the wire serves it: with what its payloads are built from. */
import type { Engine } from "../world/engine.js";
import type { Repository } from "../world/model.js";
import type { RepositoryState } from "../world/state.js";
import { World } from "../world/world.js";

export class ServedWorld extends World {
  /** For the payload builders of `world/payloads`, which webhooks and REST share. */
  get insides(): Engine {
    return this.engine;
  }

  stateOf(repository: Repository): RepositoryState {
    return this.engine.repositoryState(repository);
  }
}
