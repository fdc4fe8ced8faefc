from jobs.schedule.cron import CronExpression, parse_field


def test_step_in_a_field():
    assert parse_field("*/15", "minute", 0, 59) == {0, 15, 30, 45}


def test_five_fields_are_needed():
    try:
        CronExpression("* *")
    except Exception as error:
        assert "five fields" in str(error)
