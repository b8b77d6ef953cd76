#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""For whisper.sh: a model of whisper.cpp's format with random weights of few channels, and a second of sound. It understands nothing, but runs
every kernel that a real one of that shape runs.

Usage: whisper.py MODEL WAV"""
import random
import struct
import sys
import wave

import numpy as np

VOCABULARY, CONTEXT, STATE, HEADS, AUDIO_LAYERS, TEXT_LAYERS, TEXT_CONTEXT, MELS, FFT = 51864, 1500, 64, 2, 4, 4, 448, 80, 201


def tensor(file, name, shape, generator, is_half=True, scale=0.1, offset=0.0):
    """shape: the first is the one whose elements follow each other in memory."""
    values = generator.normal(offset, scale, int(np.prod(shape))).astype(np.float16 if is_half else np.float32)
    encoded = name.encode()
    file.write(struct.pack(f'<3i{len(shape)}i', len(shape), len(encoded), int(is_half), *shape) + encoded + values.tobytes())


def norm(file, name, generator):
    tensor(file, name + '.weight', [STATE], generator, False, 0.1, 1.0)
    tensor(file, name + '.bias', [STATE], generator, False)


def linear(file, name, columns, rows, generator, has_bias=True):
    tensor(file, name + '.weight', [columns, rows], generator, True, columns ** -0.5)
    if has_bias:
        tensor(file, name + '.bias', [rows], generator, False)


def attention(file, name, generator):
    norm(file, name + '_ln', generator)
    for part in ('query', 'key', 'value', 'out'):
        linear(file, f'{name}.{part}', STATE, STATE, generator, part != 'key')


def block(file, name, generator, has_cross):
    attention(file, name + '.attn', generator)
    if has_cross:
        attention(file, name + '.cross_attn', generator)
    norm(file, name + '.mlp_ln', generator)
    linear(file, name + '.mlp.0', STATE, 4 * STATE, generator)
    linear(file, name + '.mlp.2', 4 * STATE, STATE, generator)


def write_model(path):
    generator = np.random.default_rng(1)
    with open(path, 'wb') as file:
        file.write(struct.pack('<12i', 0x67676d6c, VOCABULARY, CONTEXT, STATE, HEADS, AUDIO_LAYERS, TEXT_CONTEXT, STATE, HEADS, TEXT_LAYERS, MELS, 1))
        file.write(struct.pack('<2i', MELS, FFT))
        file.write(np.abs(generator.normal(0, 0.02, MELS * FFT)).astype(np.float32).tobytes())
        words = [b' '] + [f' w{i}'.encode() for i in range(1, 50257)]  # the blank is looked for
        file.write(struct.pack('<i', len(words)) + b''.join(struct.pack('<I', len(word)) + word for word in words))
        tensor(file, 'encoder.positional_embedding', [STATE, CONTEXT], generator, False)
        for i, channels in ((1, MELS), (2, STATE)):
            tensor(file, f'encoder.conv{i}.weight', [3, channels, STATE], generator, True, (3 * channels) ** -0.5)
            tensor(file, f'encoder.conv{i}.bias', [1, STATE], generator, False)
        norm(file, 'encoder.ln_post', generator)
        for i in range(AUDIO_LAYERS):
            block(file, f'encoder.blocks.{i}', generator, False)
        tensor(file, 'decoder.positional_embedding', [STATE, TEXT_CONTEXT], generator, False)
        tensor(file, 'decoder.token_embedding.weight', [STATE, VOCABULARY], generator, True, 0.2)
        norm(file, 'decoder.ln', generator)
        for i in range(TEXT_LAYERS):
            block(file, f'decoder.blocks.{i}', generator, True)


def write_sound(path):
    source = random.Random(1)
    samples = [int(9000 * np.sin(i * i * 3e-6) + source.uniform(-900, 900)) for i in range(2 * 16000)]
    with wave.open(path, 'wb') as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(16000)
        file.writeframes(struct.pack(f'<{len(samples)}h', *samples))


write_model(sys.argv[1])
write_sound(sys.argv[2])
