# A conference, as those who run it use it: proposals, reviews, mails to speakers, a
# timetable. Arguments are those of manage.py; "seed" fills the database.
import datetime as dt
import os
import sys

state = os.environ["STATE"]
os.environ.update(
    DJANGO_SETTINGS_MODULE="pretalx.settings", PRETALX_DATA_DIR=state, PRETALX_FILESYSTEM_STATIC=os.path.join(state, "static"),
    PRETALX_SITE_URL=os.environ["URL"], PRETALX_NO_INITIAL_LOG="1",
)

import django
from pretalx import settings

settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
settings.EMAIL_FILE_PATH = os.path.join(state, "mail")
settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
settings.WHITENOISE_USE_FINDERS = settings.WHITENOISE_AUTOREFRESH = True
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
settings.CSRF_COOKIE_SECURE = False
django.setup()


def seed():
    from django.utils.timezone import now
    from django_scopes import scope, scopes_disabled
    from pretalx.event.models import Event, Team, TeamInvite
    from pretalx.event.utils import create_organiser_with_team
    from pretalx.mail.models import QueuedMail
    from pretalx.person.models import SpeakerProfile, User
    from pretalx.person.models.information import SpeakerInformation
    from pretalx.schedule.models import Room
    from pretalx.submission import models as m

    user = lambda name: User.objects.create_user(name=name, email=name.lower() + "@example.test", password="secret-9-word")
    admin, tom, ida, jon, eve = map(user, ["Admin", "Tom", "Ida", "Jon", "Eve"])
    organiser, team = create_organiser_with_team(name="Garden club", slug="club", users=[admin])
    Team.objects.filter(pk=team.pk).update(can_change_event_settings=True, can_change_submissions=True, is_reviewer=True, all_events=True)
    day = now() + dt.timedelta(days=30)
    with scopes_disabled():
        event = Event.objects.create(
            name="Garden days", slug="garden", organiser=organiser, is_public=False, date_from=day.date(), date_to=day.date() + dt.timedelta(days=1),
            timezone="UTC", email="days@example.test", locale_array="en", locale="en",
        )
    with scope(event=event):
        event.build_initial_data()
        event.cfp.deadline = day
        event.cfp.save()
        reviewers = Team.objects.create(organiser=organiser, name="Reviewers", is_reviewer=True, all_events=True)
        reviewers.members.add(tom)
        TeamInvite.objects.create(team=reviewers, email="new@example.test")
        hall, shed = [Room.objects.create(event=event, name=n, position=i) for i, n in enumerate(["Hall", "Shed"])]
        event.feature_flags["use_tracks"] = True
        event.save()
        trees, beds = [m.Track.objects.create(event=event, name=n, color="#3aa57c") for n in ["Trees", "Beds"]]
        talk = event.submission_types.first()
        workshop = m.SubmissionType.objects.create(event=event, name="Workshop", default_duration=90)
        for i, (title, who, kind, track, then) in enumerate([
            ("Cutting hedges", ida, talk, trees, "confirm"), ("Compost in a box", jon, workshop, beds, "accept"), ("Old apple trees", ida, talk, trees, ""),
            ("A pond in a day", eve, workshop, beds, ""), ("Remove moss", jon, talk, beds, "reject"), ("Roses", eve, talk, beds, ""),
        ]):
            s = m.Submission.objects.create(event=event, title=title, code="TALK0" + str(i), submission_type=kind, track=track, abstract=title + " for all.", content_locale="en")
            s.speakers.add(who)
            SpeakerProfile.objects.get_or_create(user=who, event=event, defaults={"biography": "Likes gardens."})
            if then in ("confirm", "accept"):
                s.accept()
            if then == "confirm":
                s.confirm()
                s.slots.update(start=day.replace(hour=9, minute=0), end=day.replace(hour=9, minute=30), room=hall)
            if then == "reject":
                s.reject()
            m.Review.objects.create(submission=s, user=tom, text="Good.", score=1)
        roses = event.submissions.get(title="Roses")
        roses.pending_state = "accepted"
        roses.save()
        m.Submission.objects.get(title="Old apple trees").tags.add(m.Tag.objects.create(event=event, tag="for beginners", color="#3aa57c"))
        m.SubmissionComment.objects.create(submission=roses, user=tom, text="Was here last year.")
        question = m.Question.objects.create(event=event, question="What do you eat?", target="speaker", variant="string", active=True)
        m.Answer.objects.create(question=question, person=ida, answer="All.")
        m.SubmitterAccessCode.objects.create(event=event, code="LATECOMERS")
        SpeakerInformation.objects.create(event=event, title="How to get here", text="By train.")
        for subject in ["Your stay", "About your talk"]:
            mail = QueuedMail.objects.create(event=event, subject=subject, text="Please write to us.")
            mail.to_users.add(ida)
        old = QueuedMail.objects.create(event=event, subject="Welcome", text="Hello.", sent=now())
        old.to_users.add(jon)


from django.core.management import execute_from_command_line

if sys.argv[1:] == ["seed"]:
    execute_from_command_line(["manage.py", "migrate", "-v0"])
    seed()
else:
    execute_from_command_line(["manage.py"] + sys.argv[1:])
