"""Files that declare hooks: written by no program, whichever it is."""

import pytest

from tests.guard.calls import Workspace, bash_refusals, listed

WRITERS = """
echo {} > .claude/settings.json
cd .claude && tee settings.json
rm -r .claude
mv sub .claude
cp ../library/settings.json .claude/
mv .claude elsewhere
ln -s sub .gemini
cp file .codex/config.toml
cp -r ../library/.claude .
rm .claude/*
rm -rf .
rm -rf ../work
sort -o .claude/settings.json file
sort -o.claude/settings.json file
sort --output=.claude/settings.json file
git diff --output=.claude/settings.json
curl -o .claude/settings.json https://example.org
cd .claude && curl -o settings.local.json https://example.org
vim .claude/settings.json
patch .claude/settings.json file
python3 -m json.tool file .claude/settings.json
sed -i s/a/b/ .claude/settings.json
awk -i inplace '{print}' .claude/settings.json
git rm .claude/settings.json
git rm -r .
git -C . rm .claude/settings.json
git checkout HEAD~1 -- .claude/settings.json
git checkout HEAD~1 -- .claude
git -C .claude checkout HEAD~1 settings.json
git clean -fdx
find . -delete
find -delete
find . -name settings.json -delete
find . -iname 'SETT*' -delete
find . -name '*.py' -o -delete
find . -not -name '*.py' -delete
find . -name .claude -exec rm -r {} +
find . -type f -exec sed -i s/a/b/ {} +
find . -type f -exec sudo -u me rm {} ';'
find sub -exec vim .claude/settings.json ';'
find sub -fprint .claude/settings.json
sudo -u root rm .claude/settings.json
env -u X rm .claude/settings.json
env - -u X rm .claude/settings.json
timeout -s KILL 5 rm .claude/settings.json
timeout --sig KILL 5 rm .claude/settings.json
xargs -n 1 rm .claude/settings.json
doas -u r rm .claude/settings.json
ionice -c 3 rm .claude/settings.json
stdbuf -o L rm .claude/settings.json
exec -a foo rm .claude/settings.json
time -o .claude/settings.json ls
sudo --nobody-knows it rm .claude/settings.json
$UNSET .claude/settings.json
"""
READERS = """
cat .claude/settings.json
cat < .claude/settings.json
ls -la .claude
grep -rn hooks .claude/settings.json
sed -n 1,5p .claude/settings.json
jq . .claude/settings.json
diff file .claude/settings.json
awk '{print}' .claude/settings.json
git diff .claude/settings.json
git add .claude/settings.json
git rm --cached -r .
git clean -nd
git -C . log -p -- .claude/settings.json
timeout -s KILL 5 cat .claude/settings.json
find . -name settings.json
find . -name '*.pyc' -delete
find . '(' -name '*.pyc' -o -name '*.pyo' ')' -delete
find . -name __pycache__ -exec rm -rf {} +
find . -type f -exec grep -l x {} +
find sub -delete
tar czf sub/all.tgz --exclude=.claude --exclude .codex .
while read -r -d $'\\0' name; do cat "$name"; done
"""


@pytest.mark.parametrize("command", listed(WRITERS))
def test_hooks_are_not_written_by_a_shell(place: Workspace, command: str) -> None:
    """Nor is the folder around them put out of the way."""
    assert bash_refusals(place, command)


@pytest.mark.parametrize("command", listed(READERS))
def test_hooks_may_be_read_and_passed_by(place: Workspace, command: str) -> None:
    """By programs that are known to read only, or that touch other files."""
    assert bash_refusals(place, command) == []
