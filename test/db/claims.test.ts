import { describe, expect, it } from "vitest";
import { violated } from "../../db/client.js";
import { findClaim, releaseClaim, takeClaim } from "../../db/claims.js";
import { endSession, findSession, listSessions, registerSession } from "../../db/sessions.js";
import { query, withDatabase } from "./cluster.js";
import { after, noon, sampleItem, sampleProject, sampleSession } from "./sample.js";

const on = withDatabase();

describe("claims", () => {
  it("case D12 of many that claim at once exactly one gets it, round after round", async () => {
    const item = (await sampleItem(on.db)).key;
    const sessions = await Promise.all(Array.from({ length: 20 }, () => sampleSession(on.db)));
    for (let round = 0; round < 50; round += 1) {
      const answers = await Promise.all(
        sessions.map(({ id }) => takeClaim(on.db, { item, session: id, at: after(round) })),
      );
      const [winner, ...others] = answers.filter(({ claimed }) => claimed);
      expect(others).toEqual([]);
      const claim = await findClaim(on.db, { item });
      expect(winner).toEqual({ claimed: true, claim });
      const holders = answers.flatMap((answer) => (answer.claimed ? [] : [answer.holder]));
      expect(holders).toEqual(Array.from({ length: 19 }, () => claim));
      const session = claim?.session ?? "";
      expect(await releaseClaim(on.db, { item, session, at: after(round) })).toEqual({
        released: true,
      });
    }
  });

  it("case D12 claims taken and released at once never overlap", async () => {
    const item = (await sampleItem(on.db)).key;
    const sessions = await Promise.all(Array.from({ length: 8 }, () => sampleSession(on.db)));
    let held = 0;
    const work = async (session: string): Promise<void> => {
      for (let done = 0; done < 10;) {
        const answer = await takeClaim(on.db, { item, session, at: noon });
        if (!answer.claimed) continue;
        held += 1;
        expect(held).toBe(1);
        done += 1;
        await findClaim(on.db, { item });
        held -= 1;
        await releaseClaim(on.db, { item, session, at: noon });
      }
    };
    await Promise.all(sessions.map(({ id }) => work(id)));
    const rows = await query(on.url, "select from claims where item = $1", [item]);
    expect(rows).toHaveLength(80);
  });

  it("case D12 the holder asking again keeps its claim, and nobody else can release it", async () => {
    const item = (await sampleItem(on.db)).key;
    const [mine, other] = [await sampleSession(on.db), await sampleSession(on.db)];
    const first = await takeClaim(on.db, { item, session: mine.id, at: noon });
    expect(await takeClaim(on.db, { item, session: mine.id, at: after(5) })).toEqual(first);
    expect(await releaseClaim(on.db, { item, session: other.id, at: after(6) })).toEqual({
      released: false,
    });
    expect(await findClaim(on.db, { item })).toEqual({ item, session: mine.id, claimedAt: noon });
  });

  it("claims_active_unique and a session that was never registered", async () => {
    const item = (await sampleItem(on.db)).key;
    const { id } = await sampleSession(on.db);
    await takeClaim(on.db, { item, session: id, at: noon });
    const copy = query(
      on.url,
      "insert into claims (item, session, claimed_at) values ($1, $2, now())",
      [item, id],
    );
    expect(await copy.then(() => null, violated)).toBe("claims_active_unique");
    const free = (await sampleItem(on.db)).key;
    const stranger = takeClaim(on.db, { item: free, session: "nobody", at: noon });
    expect(await stranger.then(() => null, violated)).toBe("claims_session_sessions_id_fk");
  });
});

describe("sessions", () => {
  it("A6.4 a session is registered, listed by project, ended once, and can come back with another wake route", async () => {
    const { key: project } = await sampleProject(on.db);
    const session = await sampleSession(on.db, { project });
    expect(await listSessions(on.db, { project })).toEqual([session]);
    expect(await endSession(on.db, { id: session.id, at: after(5) })).toMatchObject({
      state: "ended",
      endedAt: after(5),
    });
    expect(await endSession(on.db, { id: session.id, at: after(9) })).toMatchObject({
      endedAt: after(5),
    });
    expect(await endSession(on.db, { id: "nobody", at: noon })).toBeNull();
    const wakeRoute = { kind: "exec" as const, argv: ["wake", "me"] };
    const { state: _state, registeredAt: _at, endedAt: _ended, ...given } = session;
    await registerSession(on.db, { ...given, wakeRoute, at: after(20) });
    expect(await findSession(on.db, { id: session.id })).toEqual({ ...session, wakeRoute });
  });
});
