import { describe, expect, it } from "vitest";
import { releaseClaim, takeClaim } from "../../db/claims.js";
import { markProcessed, receiveDelivery } from "../../db/deliveries.js";
import { findSection, listSections, putSection } from "../../db/items.js";
import {
  acknowledge,
  itemsToTell,
  listNotices,
  markDelivered,
  markFailed,
  recordNotice,
  setRecipient,
} from "../../db/notices.js";
import { findReservation, listReservations, reserve, settle } from "../../db/reservations.js";
import { endSession } from "../../db/sessions.js";
import { listSteeringMessages, sayToSteering } from "../../db/steering.js";
import { withDatabase } from "./cluster.js";
import { after, noon, noticeOf, sampleItem, sampleProject, sampleSession } from "./sample.js";

const on = withDatabase();

describe("webhook deliveries", () => {
  const delivery = { event: "pull_request", action: "closed", at: noon };

  it("case E01 a delivery that was received and not processed is fresh again, a processed one is not", async () => {
    const one = { ...delivery, connection: "e01", guid: "0000-1" };
    expect(await receiveDelivery(on.db, one)).toEqual({ fresh: true });
    expect(await receiveDelivery(on.db, { ...one, at: after(60) })).toEqual({ fresh: true });
    await markProcessed(on.db, { ...one, at: after(61) });
    expect(await receiveDelivery(on.db, { ...one, at: after(120) })).toEqual({ fresh: false });
  });

  it("case E01 one event has the same id on every connection, and each handles its own", async () => {
    const guid = "0000-2";
    await receiveDelivery(on.db, { ...delivery, connection: "left", guid });
    await markProcessed(on.db, { connection: "left", guid, at: noon });
    expect(await receiveDelivery(on.db, { ...delivery, connection: "right", guid })).toEqual({
      fresh: true,
    });
  });
});

describe("reservations", () => {
  const asked = async () => {
    const { key: item } = await sampleItem(on.db);
    return { key: `${item}:1:enqueue`, item, kind: "enqueue", detail: "PR_12", at: noon };
  };

  it("A8.3 of many that reserve a key at once one may send, and the others see its reservation", async () => {
    const ask = await asked();
    const answers = await Promise.all(Array.from({ length: 20 }, () => reserve(on.db, ask)));
    const refused = answers.flatMap((answer) => (answer.reserved ? [] : [answer.existing]));
    expect(refused).toHaveLength(19);
    const existing = await findReservation(on.db, { key: ask.key });
    expect(existing).toMatchObject({ state: "reserved", reservedAt: noon, settledAt: null });
    for (const one of refused) expect(one).toEqual(existing);
  });

  it("A9.3 a released reservation can be taken again; a completed or uncertain one stays spent", async () => {
    const ask = await asked();
    const { key } = ask;
    await reserve(on.db, ask);
    await settle(on.db, { key, state: "released", detail: "not ready", at: after(1) });
    const again = await Promise.all([reserve(on.db, ask), reserve(on.db, ask)]);
    expect(again.filter(({ reserved }) => reserved)).toHaveLength(1);
    await settle(on.db, { key, state: "uncertain", at: after(2) });
    expect(await reserve(on.db, ask)).toMatchObject({
      reserved: false,
      existing: { state: "uncertain", detail: "PR_12", settledAt: after(2) },
    });
    await settle(on.db, { key, state: "completed", detail: "seen queued", at: after(3) });
    expect(await settle(on.db, { key, state: "released", at: after(4) })).toMatchObject({
      state: "completed",
      settledAt: after(3),
    });
    expect(await reserve(on.db, ask)).toMatchObject({ reserved: false });
    expect(await listReservations(on.db, { item: ask.item })).toHaveLength(1);
    await expect(settle(on.db, { key: "none", state: "released", at: noon })).rejects.toThrow(
      "reservation none has no row",
    );
  });
});

describe("notices", () => {
  async function recorded() {
    const item = await sampleItem(on.db);
    const ask = { project: item.project, item: item.key, notice: noticeOf(item), at: noon };
    return { ask, notice: await recordNotice(on.db, ask) };
  }

  it("A6.1 a repeated notice is the stored one, whatever it says now", async () => {
    const { ask, notice } = await recorded();
    const other = { ...ask, notice: { ...ask.notice, title: "said otherwise" }, at: after(9) };
    expect(await recordNotice(on.db, other)).toEqual(notice);
    expect(await listNotices(on.db, { item: ask.item })).toEqual([notice]);
  });

  it("A4.6 a failed attempt is counted and leaves it pending; delivered, it is not touched again", async () => {
    const { notice } = await recorded();
    const { key } = notice;
    const session = await sampleSession(on.db);
    await markFailed(on.db, { key, error: "no answer \0", at: after(1) });
    expect(await listNotices(on.db, { key })).toMatchObject([
      { state: "pending", attempts: 1, lastError: "no answer \uFFFD" },
    ]);
    await setRecipient(on.db, { key, session: session.id });
    await markDelivered(on.db, { key, at: after(2) });
    const delivered = {
      ...notice,
      recipient: session.id,
      state: "delivered",
      deliveredAt: after(2),
      attempts: 2,
    };
    expect(await listNotices(on.db, { session: session.id })).toEqual([delivered]);
    await markFailed(on.db, { key, error: "late", at: after(3) });
    await markDelivered(on.db, { key, at: after(4) });
    expect(await listNotices(on.db, { key, state: "delivered" })).toEqual([delivered]);
    expect(await listNotices(on.db, { key, state: "pending" })).toEqual([]);
  });

  it("A4.6 A6.3 what was not delivered is tried again once there is a holder or a steering seat, and not before", async () => {
    const { ask, notice } = await recorded();
    const { item, project } = ask;
    const toTell = (seconds: number) => itemsToTell(on.db, { project, at: after(seconds) });
    const holder = await sampleSession(on.db);
    await takeClaim(on.db, { item, session: holder.id, at: noon });
    // Nobody tried yet: whoever recorded it is about to.
    expect(await toTell(59)).toEqual([]);
    expect(await toTell(60)).toEqual([item]);
    await markFailed(on.db, { key: notice.key, error: "nobody", at: after(1) });
    expect(await toTell(2)).toEqual([item]);
    await endSession(on.db, { id: holder.id, at: after(3) });
    expect(await toTell(3600)).toEqual([]);
    const elsewhere = await sampleProject(on.db);
    await sampleSession(on.db, { project: elsewhere.key, steering: true });
    expect(await toTell(3600)).toEqual([]);
    const seat = await sampleSession(on.db, { project, steering: true });
    expect(await toTell(3600)).toEqual([item]);
    await endSession(on.db, { id: seat.id, at: after(4) });
    await releaseClaim(on.db, { item, session: holder.id, at: after(5) });
    const next = await sampleSession(on.db);
    await takeClaim(on.db, { item, session: next.id, at: after(6) });
    expect(await toTell(6)).toEqual([item]);
    await markDelivered(on.db, { key: notice.key, at: after(7) });
    expect(await toTell(3600)).toEqual([]);
  });

  it("A6.4 a notice is acknowledged by its id, before or after its delivery", async () => {
    const { notice } = await recorded();
    const acknowledged = await acknowledge(on.db, { id: notice.id, at: after(1) });
    expect(acknowledged).toEqual({ ...notice, state: "acknowledged" });
    await markDelivered(on.db, { key: notice.key, at: after(2) });
    expect(await acknowledge(on.db, { id: notice.id, at: after(3) })).toEqual(acknowledged);
    expect(await acknowledge(on.db, { id: "none", at: noon })).toBeNull();
  });
});

describe("words kept with items and projects", () => {
  it("A7.4 a section is written whole and read by its name", async () => {
    const { key: item } = await sampleItem(on.db);
    const name = "Queue re-entry receipts";
    await putSection(on.db, { item, name, body: "one", at: noon });
    await putSection(on.db, { item, name, body: "one\ntwo", at: after(1) });
    const section = { item, name, body: "one\ntwo", writtenAt: after(1) };
    expect(await findSection(on.db, { item, name })).toEqual(section);
    expect(await findSection(on.db, { item, name: "none" })).toBeNull();
    expect(await listSections(on.db, { item })).toEqual([section]);
  });

  it("A6.4 what is said to the steering seat is kept in order, with its item", async () => {
    const item = await sampleItem(on.db);
    const { id: fromSession } = await sampleSession(on.db);
    const { project } = item;
    const said = [
      { id: `${item.key}-a`, project, item: item.key, fromSession, text: "flaky: run 7" },
      { id: `${item.key}-b`, project, item: null, fromSession: null, text: "going home" },
    ];
    for (const message of said) await sayToSteering(on.db, { ...message, at: noon });
    expect(await listSteeringMessages(on.db, { project })).toEqual(
      said.map((message) => ({ ...message, saidAt: noon })),
    );
  });
});
