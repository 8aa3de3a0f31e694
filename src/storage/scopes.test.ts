// What must not compile stands under `@ts-expect-error`, which fails the type check where it compiles. At run time the
// same statements are refused, for those who come without types.
import { expect, expectTypeOf, test } from "vitest";
import { createMemoryStorage, ephemeralScope, listAddress, sessionScope, valueAddress } from "./index.js";
import type {
  EphemeralScope,
  ListAddress,
  Scope,
  SessionScope,
  SessionStorage,
  SessionTransaction,
  Transaction,
  TransactionOf,
  ValueAddress,
} from "./index.js";

const scope = ephemeralScope("op_a");
const inSession = valueAddress<number>(sessionScope, "n");
const inScope = valueAddress<number>(scope, "n");

async function openSession(): Promise<SessionStorage> {
  return createMemoryStorage().create("s1");
}

test("[S1] a write to an ephemeral scope does not compile in a commit of the session", async () => {
  const session = await openSession();
  const mixed = session.commit(sessionScope, (transaction) => {
    transaction.set(inSession, 1);
    // @ts-expect-error the address belongs to an ephemeral scope
    transaction.set(inScope, 1);
  });

  await expect(mixed).rejects.toMatchObject({ code: "mixed_scopes" });
  expect(await session.readValue(inSession)).toBeUndefined();
});

test("[S1] a write to the session does not compile in a commit of an ephemeral scope", async () => {
  const session = await openSession();
  const mixed = session.commit(scope, (transaction) => {
    // @ts-expect-error the address belongs to the session
    transaction.append(listAddress<number>(sessionScope, "list"), 1);
  });

  await expect(mixed).rejects.toMatchObject({ code: "mixed_scopes" });
});

test("[S1] only a commit of the session can retire a scope", async () => {
  const session = await openSession();
  const refused = session.commit(scope, (transaction) => {
    // @ts-expect-error an ephemeral transaction has no `retireScope`
    const retire: SessionTransaction["retireScope"] = transaction.retireScope;
    retire(scope);
  });

  await expect(refused).rejects.toMatchObject({ code: "mixed_scopes" });
  expectTypeOf<SessionTransaction>().toHaveProperty("retireScope");
  expectTypeOf<Transaction<EphemeralScope>>().not.toHaveProperty("retireScope");
});

test("[S1] a scope of unknown kind gives no transaction", () => {
  expectTypeOf<TransactionOf<Scope>>().toBeNever();
  expectTypeOf<TransactionOf<SessionScope>>().toEqualTypeOf<SessionTransaction>();
  expectTypeOf<TransactionOf<EphemeralScope>>().toEqualTypeOf<Transaction<EphemeralScope>>();
});

test("[S1] addresses are covariant in their scope and invariant in their element", () => {
  expectTypeOf<ValueAddress<SessionScope, number>>().toExtend<ValueAddress<Scope, number>>();
  expectTypeOf<ListAddress<EphemeralScope, number>>().toExtend<ListAddress<Scope, number>>();
  expectTypeOf<ValueAddress<Scope, number>>().not.toExtend<ValueAddress<SessionScope, number>>();
  expectTypeOf<ValueAddress<SessionScope, 1>>().not.toExtend<ValueAddress<SessionScope, number>>();
  expectTypeOf<ValueAddress<SessionScope, number>>().not.toExtend<ValueAddress<SessionScope, 1>>();
});

test("[S1] transactions are invariant in their scope", () => {
  expectTypeOf<Transaction<SessionScope>>().not.toExtend<Transaction<Scope>>();
  expectTypeOf<Transaction<Scope>>().not.toExtend<Transaction<SessionScope>>();
});
