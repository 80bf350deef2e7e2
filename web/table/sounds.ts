// Sounds, made here from tones and noise: no file is fetched, and this code only once sounds are wanted.

export type Sound = "card" | "take" | "good" | "call" | "bomb" | "won" | "lost";

let context: AudioContext | null = null;

interface Tone {
  pitch: number; // Hz
  at: number; // seconds from now
  length: number;
  loud: number;
  shape?: OscillatorType;
  slide?: number; // the pitch at the end
}

function tone(audio: AudioContext, { pitch, at, length, loud, shape = "sine", slide }: Tone): void {
  const start = audio.currentTime + at;
  const source = audio.createOscillator();
  const volume = audio.createGain();
  source.type = shape;
  source.frequency.setValueAtTime(pitch, start);
  if (slide) source.frequency.exponentialRampToValueAtTime(slide, start + length);
  volume.gain.setValueAtTime(0.0001, start);
  volume.gain.exponentialRampToValueAtTime(loud, start + 0.01);
  volume.gain.exponentialRampToValueAtTime(0.0001, start + length);
  source.connect(volume).connect(audio.destination);
  source.start(start);
  source.stop(start + length);
}

/** A short rush of noise around a pitch: a card on felt, or deeper, a blow. */
function rush(audio: AudioContext, pitch: number, length: number, loud: number): void {
  const samples = audio.createBuffer(1, Math.ceil(audio.sampleRate * length), audio.sampleRate);
  const data = samples.getChannelData(0);
  for (let index = 0; index < data.length; index++)
    data[index] = (Math.random() * 2 - 1) * (1 - index / data.length) ** 3;
  const source = audio.createBufferSource();
  source.buffer = samples;
  const band = audio.createBiquadFilter();
  band.type = "bandpass";
  band.frequency.value = pitch;
  band.Q.value = 0.8;
  const volume = audio.createGain();
  volume.gain.value = loud;
  source.connect(band).connect(volume).connect(audio.destination);
  source.start();
}

/** Tones one after the other. */
const run = (audio: AudioContext, pitches: number[], step: number, loud: number, shape?: OscillatorType) =>
  pitches.forEach((pitch, index) =>
    tone(audio, { pitch, at: index * step, length: step * 2.5, loud, shape }),
  );

const makers: Record<Sound, (audio: AudioContext) => void> = {
  card: (audio) => rush(audio, 2400, 0.07, 0.35),
  take: (audio) => {
    rush(audio, 1500, 0.1, 0.3);
    tone(audio, { pitch: 520, at: 0.03, length: 0.12, loud: 0.05 });
  },
  good: (audio) => run(audio, [659, 880], 0.11, 0.09),
  // A wooden clapper, as on a stage.
  call: (audio) => {
    tone(audio, { pitch: 1180, at: 0, length: 0.12, loud: 0.16, shape: "triangle" });
    tone(audio, { pitch: 1180, at: 0.16, length: 0.22, loud: 0.2, shape: "triangle" });
  },
  bomb: (audio) => {
    rush(audio, 160, 0.7, 1.6);
    tone(audio, { pitch: 120, at: 0, length: 0.6, loud: 0.35, slide: 32 });
  },
  won: (audio) => run(audio, [523, 659, 784, 1047], 0.13, 0.1, "triangle"),
  lost: (audio) => run(audio, [440, 392, 330], 0.2, 0.07),
};

/** Plays a sound; in silence where the browser does not let a page sound before a first press. */
export function make(sound: Sound): void {
  context ??= new AudioContext();
  if (context.state === "suspended") void context.resume();
  if (context.state !== "closed") makers[sound](context);
}
