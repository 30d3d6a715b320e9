"""Trains the tiny model in models/tiny: train_tiny.py TEXT FOLDER. Needs torch with a GPU, transformers, tokenizers and safetensors.

TEXT is a plain text that may be copied freely; the model in the repository was trained on the works of Shakespeare (the collection
"tiny shakespeare", 1.1 MB). The folder gets config.json, generation_config.json, tokenizer.json and model.safetensors."""
import json
import pathlib
import sys
import time

import torch
from safetensors.torch import save_file
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
from transformers import Qwen3Config, Qwen3ForCausalLM

VOCABULARY, CONTEXT, BATCH, STEPS, PEAK_RATE = 2048, 256, 96, 2400, 1.5e-3
SIZES = dict(hidden_size=256, intermediate_size=640, num_hidden_layers=4, num_attention_heads=4, num_key_value_heads=2, head_dim=64)
PIECES = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+")


def train_tokenizer(text):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
        pre_tokenizers.Split(Regex(PIECES), behavior="isolated"),
        pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=VOCABULARY - 1, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False)
    tokenizer.train_from_iterator([text], trainer)
    tokenizer.add_special_tokens(["<|endoftext|>"])
    return tokenizer


def losses_on(model, tokens):
    with torch.no_grad(), torch.autocast("cuda", torch.bfloat16):
        parts = [tokens[i:i + CONTEXT + 1] for i in range(0, len(tokens) - CONTEXT - 1, CONTEXT)]
        batch = torch.stack(parts).cuda()
        return model(batch, labels=batch).loss.item()


def train(model, tokens, held_out):
    optimizer = torch.optim.AdamW(model.parameters(), lr=PEAK_RATE, betas=(0.9, 0.95), weight_decay=0.3, fused=True)
    best, best_loss = None, float("inf")
    start = time.time()
    for step in range(STEPS):
        rate = PEAK_RATE * min(1, (step + 1) / 100) * (1 - step / STEPS)
        for group in optimizer.param_groups:
            group["lr"] = rate
        starts = torch.randint(0, len(tokens) - CONTEXT - 1, (BATCH,))
        batch = torch.stack([tokens[s:s + CONTEXT] for s in starts]).cuda(non_blocking=True)
        with torch.autocast("cuda", torch.bfloat16):
            loss = model(batch, labels=batch).loss
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        if step % 50 == 49:
            now = losses_on(model, held_out)
            if now < best_loss:
                best_loss, best = now, {n: p.detach().clone() for n, p in model.state_dict().items()}
            print(f"step {step + 1}: loss {loss.item():.3f}, held out {now:.3f}, {time.time() - start:.0f} s", flush=True)
            if now > best_loss + 0.15:  # it learns the text by heart from here on
                break
    model.load_state_dict(best)
    return best_loss


def main():
    text = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8")
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(1)
    tokenizer = train_tokenizer(text)
    tokens = torch.tensor(tokenizer.encode(text).ids)
    cut = int(len(tokens) * 0.95)
    fields = dict(vocab_size=VOCABULARY, max_position_embeddings=1024, rms_norm_eps=1e-6, rope_theta=1e4, tie_word_embeddings=True,
                  attention_bias=False, hidden_act="silu", use_sliding_window=False, **SIZES)
    model = Qwen3ForCausalLM(Qwen3Config(**fields)).cuda()
    print(f"{len(tokens)} tokens, {sum(p.numel() for p in model.parameters())} parameters", flush=True)
    loss = train(model, tokens[:cut], tokens[cut:])
    print(f"held out {loss:.3f} a token")
    weights = {n: p.to(torch.bfloat16).contiguous() for n, p in model.state_dict().items() if n != "lm_head.weight"}
    save_file(weights, folder / "model.safetensors")
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    write = lambda name, content: (folder / name).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    write("config.json", dict(architectures=["Qwen3ForCausalLM"], model_type="qwen3", rope_scaling=None, torch_dtype="bfloat16", **fields))
    write("generation_config.json", dict(do_sample=True, temperature=0.8, top_k=40, top_p=0.95, eos_token_id=VOCABULARY - 1))


if __name__ == "__main__":
    main()
