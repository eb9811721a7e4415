# Models, the experiments they come from, prompts and traces, before MLflow. The argument is seed or serve.
import base64
import json
import os
import sqlite3
import sys
import threading
import time
import urllib.request

state, url, port = os.environ["STATE"], os.environ["URL"], int(os.environ["PORT"])
login = b"Basic " + base64.b64encode(b"admin:secret-9-word")


def server():
    """The server with users, whose browser has their password: it asks for none."""
    with open("auth.ini", "w") as f:
        f.write(f"[mlflow]\ndefault_permission = READ\ndatabase_uri = sqlite:///{state}/mlflow.db\nadmin_username = admin\nadmin_password = secret-9-word\n"
                "authorization_function = mlflow.server.auth:authenticate_request_basic_auth\n")
    os.environ.update({
        "_MLFLOW_SERVER_FILE_STORE": f"sqlite:///{state}/mlflow.db", "_MLFLOW_SERVER_REGISTRY_STORE": f"sqlite:///{state}/mlflow.db",
        "_MLFLOW_SERVER_ARTIFACT_ROOT": "mlflow-artifacts:/", "_MLFLOW_SERVER_SERVE_ARTIFACTS": "true",
        "_MLFLOW_SERVER_ARTIFACT_DESTINATION": f"{state}/artifacts", "_MLFLOW_SGI_NAME": "uvicorn", "MLFLOW_AUTH_CONFIG_PATH": f"{state}/auth.ini",
        "MLFLOW_FLASK_SERVER_SECRET_KEY": "a-key-of-it", "MLFLOW_CRYPTO_KEK_PASSPHRASE": "another-key-of-it", "MLFLOW_DISABLE_TELEMETRY": "true",
        "MLFLOW_WEBHOOK_SECRET_ENCRYPTION_KEY": base64.urlsafe_b64encode(b"k" * 32).decode(), "MLFLOW_SERVER_ENABLE_JOB_EXECUTION": "false", "MLFLOW_WEBHOOK_ALLOW_PRIVATE_IPS": "true",
    })
    import uvicorn
    from mlflow.server import auth

    if os.environ.get("SEEDING"):
        auth.bootstrap_admin_user()
    app = auth.create_app()

    async def logged_in(scope, receive, send):
        if scope["type"] == "http" and not any(k == b"authorization" for k, _ in scope["headers"]):
            scope["headers"] = [*scope["headers"], (b"authorization", login)]
        await app(scope, receive, send)

    return uvicorn.Server(uvicorn.Config(logged_in, host="127.0.0.1", port=port, log_level="warning"))


def call(path, method="POST", **body):
    req = urllib.request.Request(f"{url}/api/{path}", json.dumps(body).encode(), {"Content-Type": "application/json"}, method=method)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(req) as r:
            return json.loads(r.read() or b"null")
    except urllib.error.HTTPError as e:
        raise RuntimeError(f"{path}: {e.read().decode()}") from e


def seed():
    os.environ["SEEDING"] = "1"
    s = server()
    thread = threading.Thread(target=s.run, daemon=True)
    thread.start()
    while not s.started:
        time.sleep(0.1)
    ids = fill(lambda path, **body: call("2.0/mlflow/" + path, **body), lambda path, **body: call("3.0/mlflow/" + path, **body))
    s.should_exit = True
    thread.join()
    rename(ids)


def fill(v2, v3):
    """Returns the ids that are drawn by lot, in an order that stays."""
    tag = lambda **tags: [{"key": k.replace("__", "."), "value": v} for k, v in tags.items()]
    day = 1790000000000
    churn, bot, old = [v2("experiments/create", name=n, tags=tag(mlflow__experimentKind=kind))["experiment_id"] for n, kind in
                       [("Churn forecast", "custom_model_development"), ("Support bot", "genai_development"), ("Old trials", "custom_model_development")]]
    ids = []
    for i, (name, where, status, auc, depth) in enumerate([
        ("tree-shallow", churn, "FINISHED", 0.81, "4"), ("tree-deep", churn, "FINISHED", 0.86, "12"), ("linear", churn, "FINISHED", 0.74, "1"),
        ("long-night", churn, "RUNNING", 0.5, "40"), ("first-try", churn, "FINISHED", 0.6, "2"), ("from-2019", old, "FINISHED", 0.55, "3"),
    ]):
        run = v2("runs/create", experiment_id=where, run_name=name, start_time=day + i * 1000, tags=tag(team="growth", mlflow__user=["ida", "tom"][i % 2]))["run"]["info"]["run_id"]
        v2("runs/log-batch", run_id=run, metrics=[{"key": "auc", "value": auc, "timestamp": day, "step": 0}, {"key": "loss", "value": 1 - auc, "timestamp": day, "step": 0}],
           params=[{"key": "depth", "value": depth}])
        if status == "FINISHED":
            v2("runs/update", run_id=run, status=status, end_time=day + 90000)
        ids.append(run)
    v2("runs/delete", run_id=ids[4])
    for model, versions in ("churn", 3), ("fraud", 1), ("unused", 0):
        v2("registered-models/create", name=model, description=f"The model of {model}", tags=tag(owner="ida"))
        for n in range(versions):
            v2("model-versions/create", name=model, source=f"mlflow-artifacts:/{churn}/{ids[n]}/artifacts/model", run_id=ids[n], tags=tag(checked="yes"))
    v2("registered-models/alias", name="churn", alias="champion", version="2")
    v2("model-versions/transition-stage", name="fraud", version="1", stage="Production", archive_existing_versions=False)
    for prompt, texts in ("greeting", ["Hello {{name}}.", "Good day, {{name}}, what can I do?"]), ("refund", ["Say when {{order}} is paid back."]):
        v2("registered-models/create", name=prompt, tags=tag(mlflow__prompt__is_prompt="true"))
        for text in texts:
            v2("model-versions/create", name=prompt, source="prompt-template", tags=[
                {"key": "mlflow.prompt.is_prompt", "value": "true"}, {"key": "mlflow.prompt.text", "value": text}, {"key": "_mlflow_prompt_type", "value": "text"}])
    v2("registered-models/alias", name="greeting", alias="production", version="1")
    for n, ask in enumerate(["Where is my order?", "I want my money back", "Delete my account"]):
        v3("traces", trace={"trace_info": {
            "trace_id": f"tr-{n + 1:032}", "trace_location": {"type": "MLFLOW_EXPERIMENT", "mlflow_experiment": {"experiment_id": bot}},
            "request_time": time.strftime(f"%Y-%m-%dT%H:0{n}:00Z", time.gmtime(time.time() - 7200)), "execution_duration": "2.5s", "state": ["OK", "OK", "ERROR"][n], "request_preview": json.dumps(ask),
            "response_preview": json.dumps("One moment."), "trace_metadata": {"mlflow.trace_schema.version": "3", "mlflow.trace.session": f"session-{n}"},
            "tags": {"mlflow.traceName": "answer"}}})
    for name in "golden questions", "hard questions":
        data = v3("datasets/create", name=name, experiment_ids=[bot], tags=json.dumps({"team": "support"}))["dataset"]["dataset_id"]
        v3(f"datasets/{data}/records", records=json.dumps([{"inputs": {"question": q}, "expectations": {"answer": "yes"}} for q in ["Is it open?", "Is it late?"]]))
        ids.append(data)
    for name, entity, action in ("deploy", "MODEL_VERSION_ALIAS", "CREATED"), ("tell-the-team", "MODEL_VERSION", "CREATED"):
        v2("webhooks", name=name, url=f"https://127.0.0.1:9/{name}", events=[{"entity": entity, "action": action}], description="for " + name)
    key = v3("gateway/secrets/create", secret_name="provider-key", secret_value={"api_key": "key-of-a-provider-1234"}, provider="openai", created_by="admin")["secret"]["secret_id"]
    model = v3("gateway/model-definitions/create", name="small-model", secret_id=key, provider="openai", model_name="gpt-4o-mini", created_by="admin")["model_definition"]["model_definition_id"]
    end = v3("gateway/endpoints/create", name="answers", created_by="admin", model_configs=[{"model_definition_id": model, "linkage_type": "PRIMARY", "weight": 1.0}])["endpoint"]["endpoint_id"]
    v3("gateway/budgets/create", budget_unit="USD", budget_amount=50, duration={"unit": "DAYS", "value": 7}, target_scope="GLOBAL", budget_action="REJECT", created_by="admin")
    ids.append(end)
    for user in "ida", "tom", "eve":
        v2("users/create", username=user, password="another-9-word")
    for name, users in ("Reviewers", ["ida", "tom"]), ("Guests", []):
        role = v3("roles/create", name=name, description="Those who look", workspace="default")["role"]["id"]
        v3("roles/permissions/add", role_id=role, resource_type="registered_model", resource_pattern="*", permission="READ")
        for user in users:
            v3("roles/assign", role_id=role, username=user)
    return ids


def rename(ids):
    """Gives what was made ids that stay: its number after fives, with what stood before it."""
    with sqlite3.connect("mlflow.db") as db:
        db.execute("PRAGMA foreign_keys = off")
        for table, in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for column in [c[1] for c in db.execute(f'PRAGMA table_info("{table}")') if c[1].endswith(("_id", "_uuid", "_uri", "source"))]:
                for i, old in enumerate(ids, 1):
                    new = old[:-32] + "5" * 30 + f"{i:02}"
                    db.execute(f'UPDATE OR REPLACE "{table}" SET "{column}" = replace("{column}", ?, ?) WHERE "{column}" LIKE ?', [old, new, f"%{old}%"])


if __name__ == "__main__":
    {"seed": seed, "serve": lambda: server().run()}[sys.argv[1]]()
