"""youtube_audio: WAV files of each kind, and an ffmpeg that is a script of this test."""
import os
import struct

import numpy as np
from common import convert, folder, refused, same_file, write

random = np.random.RandomState(2)
labels = ("batch", "time", "feature")
KINDS = {"uint8": 1, "int16": 1, "int32": 1, "float32": 3, "float64": 3}


def wav(samples, rate=16000, kind=None, extensible=False, extra=b""):
    channels, width = samples.shape[1], samples.dtype.itemsize
    kind = KINDS[str(samples.dtype)] if kind is None else kind
    form = struct.pack("<HHIIHH", 0xfffe if extensible else kind, channels, rate, rate * channels * width, channels * width, 8 * width)
    if extensible:
        form += struct.pack("<HHIH", 22, 8 * width, 3, kind) + b"\x00\x00\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"
    body = b"WAVE" + b"fmt " + struct.pack("<I", len(form)) + form + extra + b"data" + struct.pack("<I", samples.nbytes) + samples.tobytes()
    return b"RIFF" + struct.pack("<I", len(body)) + body


def expect(inputs, samples, *options):
    same_file(convert("youtube_audio", inputs, "--youtube-id", "abc", *options), {"features": (samples[None], labels)},
              {"train": {"features": (0, 1)}})


inputs = folder("sound")
path = os.path.join(inputs, "abc.wav")
os.environ["PATH"] = tools_only = folder("no-tools")
refused("lacks abc.m4a, and abc.wav as well", "youtube_audio", inputs, "--youtube-id", "abc")
refused("fuel-download youtube_audio --youtube-id abc", "youtube_audio", inputs, "--youtube-id", "abc")
refused("youtube-id", "youtube_audio", inputs, status=2)
refused("is '../abc'", "youtube_audio", inputs, "--youtube-id", "../abc", status=2)
refused("--channels is 0", "youtube_audio", inputs, "--youtube-id", "abc", "--channels", 0, status=2)
refused("expected a whole number", "youtube_audio", inputs, "--youtube-id", "abc", "--sample", "fast", status=2)
for dtype in KINDS:
    for channels in (1, 2):
        samples = (random.uniform(-1, 1, size=(50, channels)) * 100 + 100).astype(dtype)
        options = [] if channels == 1 else ["--channels", 2, "--sample", 44100]
        write(path, wav(samples, 16000 if channels == 1 else 44100, extensible=channels == 2, extra=b"LIST\x03\0\0\0abc\0"))
        expect(inputs, samples, *options)

samples = random.randint(-9, 9, size=(20, 1)).astype("int16")
good = wav(samples)
for content, words in ((b"", "is no WAV file"), (b"RIFF1234AVI ", "is no WAV file"), (good[:-1], "ends within its samples"),
                       (good[:36], "has no samples"), (wav(samples[:0]), "has no samples"), (wav(samples, kind=17), "samples of kind 17 and 16 bits"),
                       (wav(samples[:, :0]), "has no channels"), (wav(samples, 8000), "1 channels of 8000 samples a second; expected 1 of 16000"),
                       (good.replace(b"fmt \x10", b"fmt \x08"), "format of 8 bytes"), (good.replace(b"fmt ", b"fmt_"), "has no samples"),
                       (good[:34] + b"\x18\0" + good[36:], "and 24 bits")):
    write(path, content)
    refused(words, "youtube_audio", inputs, "--youtube-id", "abc")

# With ffmpeg the film counts; without, the WAV file beside it.
write(os.path.join(inputs, "abc.m4a"), b"film")
write(path, good)
expect(inputs, samples)
os.remove(path)
refused("needs the program ffmpeg", "youtube_audio", inputs, "--youtube-id", "abc")
script = os.path.join(tools_only, "ffmpeg")


def ffmpeg(text):
    write(script, "#!/bin/sh\n" + text)
    os.chmod(script, 0o755)


wanted = "-nostdin -v error -timelimit 3600 -protocol_whitelist file,pipe -format_whitelist mov,mp4,m4a,aac,mp3,ogg,flac,wav,matroska,webm " + (
    f"-i file:{inputs}/abc.m4a -ac 2 -ar 8000 -f s16le -")
ffmpeg(f'[ "$*" = "{wanted}" ] || {{ echo "$*" >&2; exit 3; }}\nprintf "\\001\\000\\377\\377\\002\\001\\000\\200"\n')
expect(inputs, np.array([[1, -1], [258, -32768]], "int16"), "--channels", 2, "--sample", 8000)
for text, words in (("echo first >&2; echo 'moov atom not found' >&2; exit 1\n", "abc.m4a': moov atom not found"), ("exit 0\n", "has no samples"),
                    ("while :; do echo words words words words words words words >&2; done\n", "too many errors"), ("kill -9 $$\n", "cannot decode")):
    ffmpeg(text)
    refused(words, "youtube_audio", inputs, "--youtube-id", "abc")
