# Texts that a team labels, before Label Studio. The argument is seed or serve.
import os
import sys

state, app, data = os.environ["STATE"], os.environ["APP"], os.environ["DATA"]
sys.path[:0] = [f"{app}/py", f"{app}/py/label_studio"]
os.environ.update(
    DJANGO_SETTINGS_MODULE="core.settings.label_studio", LABEL_STUDIO_BASE_DATA_DIR=state, SENTRY_DSN="", FRONTEND_SENTRY_DSN="",
    COLLECT_ANALYTICS="false", LABEL_STUDIO_LOCAL_FILES_SERVING_ENABLED="true", LABEL_STUDIO_LOCAL_FILES_DOCUMENT_ROOT=os.path.dirname(data),
)

import django
from django.conf import settings
from django.core.management import call_command

if sys.argv[1] == "seed":  # the tables as they are now, not as they came to be
    settings.MIGRATION_MODULES = type("None", (), {"__contains__": lambda *_: True, "__getitem__": lambda *_: None})()
settings.LATEST_VERSION_CHECK = False  # it would ask PyPI
django.setup()

SENTIMENT = '<View><Text name="text" value="$text"/><Choices name="tone" toName="text"><Choice value="Good"/><Choice value="Bad"/></Choices></View>'
REVIEWS = ["The bread was warm.", "Delete me from your list!", "The soup was cold.", "Friendly people.", "Too loud.", "We will come again."]


def choice(value):
    return [{"from_name": "tone", "to_name": "text", "type": "choices", "value": {"choices": [value]}}]


def seed():
    from django.urls import get_resolver

    get_resolver().url_patterns  # knows all the tables
    call_command("migrate", run_syncdb=True, verbosity=0)
    from io_storages.localfiles.models import LocalFilesExportStorage
    from io_storages.s3.models import S3ImportStorage
    from ml.models import MLBackend
    from organizations.models import Organization
    from projects.models import Project
    from rest_framework.test import APIClient
    from users.models import User

    users = [User.objects.create_user(f"{name.lower()}@example.com", "secret-9-word", first_name=name, last_name=last, username=name.lower())
             for name, last in (("Anna", "Berg"), ("Bob", "Stone"))]
    org = Organization.create_organization(created_by=users[0], title="The Kitchen")
    org.add_user(users[1])
    for user in users:
        user.active_organization = org
        user.save()
    api = APIClient(HTTP_HOST="127.0.0.1")
    api.force_authenticate(users[0])

    def post(path, body):
        got = api.post(f"/api/{path}", body, format="json")
        if got.status_code >= 300:
            raise RuntimeError(f"{path}: {got.content[:400]}")
        return got.json()

    for title, about in (("Guest reviews", "How our guests liked it"), ("Old menus", "Not used any more"), ("Empty one", "")):
        post("projects", {"title": title, "description": about, "label_config": SENTIMENT})
    for project, texts in (1, REVIEWS), (2, ["Soup", "Fish"]):
        post(f"projects/{project}/import?return_task_ids=1", [{"text": text} for text in texts])
    post("tasks/1/annotations", {"result": choice("Good"), "was_cancelled": False, "lead_time": 3})
    post("tasks/2/annotations", {"result": choice("Bad"), "was_cancelled": False, "lead_time": 4})
    post("predictions", {"task": 3, "result": choice("Bad"), "model_version": "first", "score": 0.7})
    post("dm/views", {"project": 1, "data": {"title": "Cold food", "filters": {"conjunction": "and", "items": []}}})
    post("dm/views", {"project": 1, "data": {"title": "For Bob", "filters": {"conjunction": "and", "items": []}}})
    post("webhooks/", {"project": 1, "url": "http://127.0.0.1:79/hook", "send_payload": True, "send_for_all_actions": True, "is_active": True})
    project = Project.objects.get(id=1)
    S3ImportStorage.objects.create(project=project, title="Photos in the cloud", bucket="photos", s3_endpoint="http://127.0.0.1:9", aws_access_key_id="key", aws_secret_access_key="secret")
    os.makedirs(f"{os.path.dirname(data)}/out", exist_ok=True)
    LocalFilesExportStorage.objects.create(project=project, title="Results for the chef", path=f"{os.path.dirname(data)}/out")
    MLBackend.objects.create(project=project, title="Tone model", url="http://127.0.0.1:9")


def serve():
    from django.core.servers.basehttp import run
    from django.core.wsgi import get_wsgi_application

    run("127.0.0.1", int(os.environ["PORT"]), get_wsgi_application(), threading=True)


{"seed": seed, "serve": serve}[sys.argv[1]]()
