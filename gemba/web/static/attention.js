// Being noticed while another window is in front: title, icon, a sound, a desktop notification.

import { plain } from "./text.js";

const SIZE = 64;

export class Attention {
  /** `open(id)` is called where a notification is clicked; `say` tells a person something. */
  constructor(open, say) {
    this.open = open;
    this.say = say;
    this.icon = document.getElementById("icon");
    this.sound = new Switch("sound", () => this.turnOnSound());
    this.notify = new Switch("notify", () => this.turnOnNotifications());
  }

  /** Show how many are open, and how many of these block. */
  count(open, blocking) {
    const key = `${open} ${blocking}`;
    if (key === this.key) return;
    this.key = key;
    document.title = open ? `(${open}) Gemba` : "Gemba";
    this.icon.type = "image/png";
    this.icon.href = drawn(open, blocking);
  }

  /** This one was opened just now. */
  opened(item) {
    if (this.sound.isOn) this.beep(item.urgency === "blocking");
    if (!this.notify.isOn || globalThis.Notification?.permission !== "granted") return;
    const about = { body: plain(item.title), tag: item.id };
    const note = new Notification(`${item.urgency}: ${plain(item.session_id)}`, about);
    note.onclick = () => {
      window.focus();
      this.open(item.id);
      note.close();
    };
  }

  async turnOnSound() {
    await this.beep(false);
    return true;
  }

  async turnOnNotifications() {
    if (!window.isSecureContext || !("Notification" in window)) {
      this.say("Your browser shows notifications only of pages on localhost or with HTTPS.");
      return false;
    }
    if ((await Notification.requestPermission()) === "granted") return true;
    this.say("Your browser does not allow notifications of this page; its settings do.");
    return false;
  }

  /** Two soft tones; higher where an agent is blocked. Browsers allow it after a click or a key. */
  async beep(isUrgent) {
    if (!navigator.userActivation.hasBeenActive) return;
    this.context ??= new AudioContext();
    const { context } = this;
    await context.resume();
    [0, 0.16].forEach((delay, place) => {
      const tone = context.createOscillator();
      const volume = context.createGain();
      const at = context.currentTime + delay;
      tone.frequency.value = (isUrgent ? 660 : 440) * (place ? 1.25 : 1);
      volume.gain.setValueAtTime(0.08, at);
      volume.gain.exponentialRampToValueAtTime(0.0001, at + 0.25);
      tone.connect(volume).connect(context.destination);
      tone.start(at);
      tone.stop(at + 0.26);
    });
  }
}

/** A button that is on or off, and is so again after a reload. */
class Switch {
  constructor(id, turnOn) {
    this.button = document.getElementById(id);
    this.key = `gemba.${id}`;
    this.turnOn = turnOn;
    this.isOn = localStorage.getItem(this.key) === "on";
    this.show();
    this.button.addEventListener("click", () => this.toggle());
  }

  async toggle() {
    this.isOn = !this.isOn && (await this.turnOn());
    localStorage.setItem(this.key, this.isOn ? "on" : "off");
    this.show();
  }

  show() {
    this.button.setAttribute("aria-pressed", String(this.isOn));
  }
}

/** The icon with the number in it, as an address. */
function drawn(open, blocking) {
  const canvas = Object.assign(document.createElement("canvas"), { width: SIZE, height: SIZE });
  const pen = canvas.getContext("2d");
  pen.fillStyle = blocking ? "#c2410c" : "#1f5f5b";
  pen.beginPath();
  pen.roundRect(0, 0, SIZE, SIZE, 16);
  pen.fill();
  pen.fillStyle = "#fff";
  pen.font = `bold ${open > 9 ? 36 : 44}px sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(open > 99 ? "99" : open ? String(open) : "✓", SIZE / 2, SIZE / 2 + 3);
  return canvas.toDataURL("image/png");
}
