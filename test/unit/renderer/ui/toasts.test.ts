import { notificationsStore } from "@mantine/notifications";
import { afterEach, describe, expect, it } from "vitest";
import { addToast } from "../../../../renderer/ui/dialogs/add-toast.ts";

const shown = () => notificationsStore.getState().notifications.map(({ message }) => message);
const fail = (message: string) => addToast({ message, autoClose: false });
const tell = (message: string) => addToast({ message, autoClose: 4_000 });
const waiting = () => notificationsStore.getState().queue;

describe("A toast", () => {
  afterEach(() => notificationsStore.setState({ ...notificationsStore.getState(), notifications: [], queue: [] }));

  it("is shown at once, however many failures wait to be closed", () => {
    for (const text of ["one", "two", "three", "four", "five"]) fail(text);
    tell("saved");
    expect(shown()).toEqual(["two", "three", "four", "five", "saved"]);
    expect(waiting()).toEqual([]);
  });

  it("takes the place of one that goes by itself before that of a failure", () => {
    fail("failure");
    for (const text of ["one", "two", "three", "four"]) tell(text);
    tell("five");
    expect(shown()).toEqual(["failure", "two", "three", "four", "five"]);
    expect(waiting()).toEqual([]);
  });
});
