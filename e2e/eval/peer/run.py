#!/usr/bin/env python3
"""Has browser-use do one task with a model, and prints how that ended.

Standard output is lines of JSON: one a step, and last the report, with the keys
answer, done, steps, tokens_in, tokens_out, seconds, unread (outputs of the model that
could not be parsed) and error. browser-use lives in a virtual environment in .cache,
which `run.py --setup`, or the first run, makes of requirements.txt.

Its settings are those that suit a small model: flash_mode (short prompt, no written
reasoning), no pictures, no judge, and the limits of a call and a step as long as that of
the task, because a small machine is slow. Ollama is told num_ctx, without which it
would cut browser-use's prompt. An address that ends in /v1 is a server of OpenAI's
format; where that refuses a JSON schema, the schema goes into the prompt.
"""

import argparse
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements.txt"
PINS = REQUIREMENTS.read_text()
# Another version of anything that browser-use depends on is another environment, and
# another version of the peer.
VERSION = re.search(r"^browser-use==(\S+)$", PINS, re.M)[1] + "-" + hashlib.sha256(PINS.encode()).hexdigest()[:8]
VENV = REQUIREMENTS.parents[3] / ".cache" / f"browser-use-{VERSION}"


def setup():
    """Installs browser-use where it is missing."""
    ready = VENV / "ready"
    if ready.exists():
        return
    python = VENV / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", "--clear", VENV], check=True, stdout=sys.stderr)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "-r", REQUIREMENTS], check=True, stdout=sys.stderr)
    subprocess.run([python, "-m", "pip", "--disable-pip-version-check", "check"], check=True, stdout=sys.stderr)
    ready.touch()


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--setup", action="store_true", help="only install browser-use")
    p.add_argument("--version", action="version", version=VERSION)
    p.add_argument("--task")
    p.add_argument("--url")
    p.add_argument("--base-url", default="http://127.0.0.1:11434")
    p.add_argument("--model")
    p.add_argument("--max-steps", type=int, default=25)
    p.add_argument("--timeout", type=float, default=600, help="seconds")
    p.add_argument("--num-ctx", type=int, default=16384, help="window of Ollama, in tokens")
    p.add_argument("--no-flash", dest="flash", action="store_false", help="with the long prompt")
    a = p.parse_args()
    if not a.setup and not (a.task and a.url and a.model):
        p.error("--task, --url and --model are needed")
    return a


def chromium():
    names = [os.environ.get("TABWRIGHT_BROWSER"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    return next((path for name in names if name and (path := shutil.which(name))), None)


class Count:
    """What went over the wire to the model."""

    def __init__(self):
        self.tokens_in = self.tokens_out = self.unread = 0

    async def response(self, r):
        await r.aread()
        try:
            body = r.json()
        except ValueError:
            return
        usage = body.get("usage") or {}
        self.tokens_in += body.get("prompt_eval_count") or usage.get("prompt_tokens") or 0
        self.tokens_out += body.get("eval_count") or usage.get("completion_tokens") or 0


def model(a, count):
    import httpx
    from browser_use import ChatOllama, ChatOpenAI
    from browser_use.llm.exceptions import ModelProviderError

    hooks = {"response": [count.response]}

    class Unread:
        async def ainvoke(self, messages, output_format=None, **more):
            try:
                return await super().ainvoke(messages, output_format, **more)
            except ModelProviderError as e:
                if "response_format" in str(e) and not getattr(self, "dont_force_structured_output", True):
                    self.dont_force_structured_output = self.add_schema_to_system_prompt = True
                    return await self.ainvoke(messages, output_format, **more)
                if "JSON" in str(e) or "validation error" in str(e):
                    count.unread += 1
                raise

    if not a.base_url.rstrip("/").endswith("/v1"):
        class Ollama(Unread, ChatOllama):
            pass

        return Ollama(
            model=a.model, host=a.base_url, timeout=a.timeout, client_params={"event_hooks": hooks},
            ollama_options={"num_ctx": a.num_ctx, "temperature": 0, "seed": 1, "num_predict": 1024},
        )

    class OpenAI(Unread, ChatOpenAI):
        pass

    return OpenAI(
        model=a.model, base_url=a.base_url, api_key=os.environ.get("OPENAI_API_KEY", "none"), temperature=0, seed=1,
        max_completion_tokens=1024, max_retries=1, timeout=a.timeout,
        http_client=httpx.AsyncClient(event_hooks=hooks, timeout=a.timeout),
    )


async def run(a, out):
    import asyncio

    from browser_use import Agent, BrowserProfile

    count, began = Count(), time.monotonic()
    report = {"answer": "", "done": False, "steps": 0, "error": ""}

    def step(state, output, number):
        report["steps"] = number
        actions = [action.model_dump(exclude_unset=True) for action in output.action]
        print(json.dumps({"step": number, "url": state.url, "actions": actions}, ensure_ascii=False), file=out, flush=True)

    with tempfile.TemporaryDirectory(prefix="bu-") as folder:
        agent = Agent(
            task=a.task,
            llm=model(a, count),
            browser_profile=BrowserProfile(
                headless=True, executable_path=chromium(), chromium_sandbox=False, user_data_dir=folder + "/profile",
                enable_default_extensions=False, args=["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"],
            ),
            initial_actions=[{"navigate": {"url": a.url, "new_tab": False}}],
            register_new_step_callback=step,
            flash_mode=a.flash, use_vision=False, use_judge=False,
            llm_timeout=int(a.timeout), step_timeout=int(a.timeout),
            file_system_path=folder + "/files", enable_signal_handler=False,
        )
        try:
            history = await asyncio.wait_for(agent.run(max_steps=a.max_steps), a.timeout)
            report["answer"] = history.final_result() or ""
            report["done"] = history.is_done() and history.is_successful() is not False
            report["steps"] = max(report["steps"], history.number_of_steps() - 1)  # the first opened the page
            if not report["done"]:
                report["error"] = next((e for e in reversed(history.errors()) if e), "")
        except asyncio.TimeoutError:
            report["error"] = f"no end within {a.timeout:.0f} s"
        finally:
            await agent.close()
    report.update(vars(count), seconds=round(time.monotonic() - began, 1))
    return report


def main():
    a = arguments()
    setup()
    if a.setup:
        return
    if not os.path.samefile(sys.prefix, VENV):
        os.execv(VENV / "bin" / "python", [str(VENV / "bin" / "python"), *sys.argv])
    os.environ.update(
        ANONYMIZED_TELEMETRY="false", BROWSER_USE_CLOUD_SYNC="false", BROWSER_USE_VERSION_CHECK="false",
        BROWSER_USE_CLOUD_HINTS="false", BROWSER_USE_CONFIG_DIR=tempfile.mkdtemp(prefix="bu-config-"),
        SKIP_LLM_API_KEY_VERIFICATION="true", NO_PROXY="127.0.0.1,localhost",
    )
    # What browser-use prints is its log.
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    import asyncio

    try:
        report = asyncio.run(run(a, out))
    except Exception as e:  # of its start: the report tells
        report = {"answer": "", "done": False, "steps": 0, "tokens_in": 0, "tokens_out": 0, "seconds": 0, "unread": 0, "error": repr(e)}
    shutil.rmtree(os.environ["BROWSER_USE_CONFIG_DIR"], ignore_errors=True)
    print(json.dumps(report, ensure_ascii=False), file=out, flush=True)


if __name__ == "__main__":
    main()
