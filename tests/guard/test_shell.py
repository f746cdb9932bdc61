"""Shell commands, by the words that a shell would see."""

import shlex
import subprocess
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemba_core.clients import CLAUDE
from gemba_core.surface import Surface, Touch, touches_of_call
from tests.guard.calls import Workspace, bash_refusals, listed, made

READS_OUTSIDE = r"""
cat ../secret/file
cat ./../secret/file
cat sub/../../secret/file
cat out
cat out/file
cat ou*/file
cat */file
cat inner/../../secret/file
cat ${y:-/etc/passwd}
cat "${y-/etc/passwd}"
cat ${y:=../secret}/file
cat ${HOME:+/etc/passwd}
cat ${y:-"$HOME"/x}
cat ${y:-~/x}
cat "$HOME/x"
cat ${HOME}/x
cat ~/x
cat "/et"c'/pass'wd
cat \/etc/passwd
cat $'\x2fetc/passwd'
cat $'\057etc/passwd'
cat {file,/etc/passwd}
cat '/etc/'$x.y
cat /e*/passwd
cat < /etc/passwd
cat <(cat /etc/passwd)
cat $(cat /etc/passwd)
cat `cat /etc/passwd`
cat "$(cat /etc/passwd)"
cat /etc/$UNSET
cat /etc/"$(date)"
x=/etc; cat $x/passwd
export x=/etc; cat "$x/passwd"
x="file /etc/passwd"; cat $x
for i in file /etc/passwd; do cat "$i"; done
cd .. && cat secret/file
cd ../secret
cd sub; cat ../../secret/file
cd sub && (cd ..; cat ../secret/file)
cd /etc
cd
pushd ..
true && cat /etc/passwd
false || cat /etc/passwd
cat file | cat - /etc/passwd
if cat /etc/passwd; then :; fi
while :; do cat /etc/passwd; done
f() { cat /etc/passwd; }; f
! cat /etc/passwd
{ cat /etc/passwd; }
[ -r /etc/passwd ]
[[ -r /etc/passwd ]]
bash -c 'cat /etc/passwd'
sh -ec "cat /etc/passwd"
sh -c -e 'cat /etc/passwd'
bash -cx 'cat /etc/passwd'
env -S "cat /etc/passwd"
env -u X -S'A=b cat' /etc/passwd
env --split-string="cat /etc/passwd"
watch -n 1 "cat /etc/passwd"
trap "cat /etc/passwd" EXIT
trap -- 'cat /etc/passwd' EXIT INT
bash <<< "cat /etc/passwd"
sudo -u x bash -s one <<< "cat /etc/passwd"
bash <<E⏎cat /etc/passwd⏎E
sh -x <<'E' > new⏎cat /etc/passwd⏎E
cat <<E /etc/passwd⏎E
eval cat /etc/passwd
sudo -n cat /etc/passwd
sudo -u root A=b cat /etc/passwd
env A=b cat /etc/passwd
env -C /etc cat passwd
timeout 5 cat /etc/passwd
xargs cat /etc/passwd
flock -w 3 file cat /etc/passwd
grep x /etc/passwd
grep -e x /etc/passwd
sed -n p /etc/passwd
awk '{print}' /etc/passwd
find / -name x
dd if=/etc/passwd of=file
tar --file=/etc/x -x
gcc -I/usr/include file
git -C .. status
../program
cat > file /etc/passwd
cat <<E⏎$(cat /etc/passwd)⏎E
cat "unclosed /etc/passwd
"""
WRITES_TO_THE_LIBRARY = """
echo x > ../library/file
echo x >> ../library/file
echo x >| ../library/file
echo x &> ../library/file
make 2> ../library/file
> ../library/new
rm ../library/file
rm -rf ../library
mv ../library/file .
mv file ../library
cp file ../library
cp -t ../library file
cp --target-directory=../library file
tee ../library/file
touch ../library/new
mkdir ../library/new
ln -s ../library/file here
dd if=file of=../library/file
sed -i s/a/b/ ../library/file
sed -ni.bak s/a/b/ ../library/file
sed --in-place=.bak s/a/b/ ../library/file
perl -pi -e s/a/b/ ../library/file
chmod 600 ../library/file
chown me ../library/file
install file ../library
truncate -s 0 ../library/file
find ../library -delete
find ../library -exec touch {} +
timeout -s KILL 5 touch ../library/new
sudo -u root touch ../library/new
echo x > ${y:-../library/new}
bash <<< "touch ../library/new"
git rm ../library/file
git clean -f ../library
cd ../library && touch new
"""
STAYS_WITHIN = r"""
ls
ls -la
cat file ./file sub/file inner/file "$PWD/file" $(pwd)/file
cat ../library/file
cat ../library/*
cp ../library/file .
cat file > sub/new 2>&1
make > /dev/null 2>&1
echo /etc/passwd
printf '%s\n' /etc/passwd
sed -n '/a/,/b/p' file
sed -i -e '/a/d' file
grep /etc/passwd file
grep -rn /api .
awk '/x/ {print}' file
jq '.a' file
cat '~/x'
cat "a ~ b"
cd sub && cat ../file
cd sub; cd ..; cat file
(cd ../library && cat file); touch new
curl https://example.org/a/b
git commit -m "fix a/b"
git diff origin/main..HEAD
/usr/bin/env python script.py
cat $UNSET/etc/passwd
cat "$(date)/x"
x=file; cat "$x"
for i in 1 2 3; do touch "sub/$i"; done
cat > new <<'E'⏎/etc/passwd $(cat /etc/passwd)⏎E
cat <<'E' | python3⏎open("/etc/passwd")⏎E
mkdir -p sub/deep && touch sub/deep/new
rm -rf sub
python -m pytest -q tests/
test -f file && echo yes
find . -name '*.py' -exec rm {} +
find ../library -name '*.py' -exec grep x {} +
tr / _ < file
cat ${y:-file} "${y:=sub/file}"
x=file; cat ${x:-/etc/passwd}
cat "${y:-~/x}"
env PATH=/opt/x:$PATH make
bash sub/script.sh <<< "cat /etc/passwd"
trap - EXIT
trap 'rm -f sub/new' EXIT
"""
# What agents do all day, in a project with hooks of its own.
EVERYDAY = """
git status
git status --short
git diff
git diff HEAD~1 -- sub/file
git log --oneline -5
git add .
git add -A
git add file sub
git commit -m "Mend .claude/settings.json, and a/b"
git commit -am "x" --no-verify
git checkout -b x
git checkout main
git switch -c y
git branch -d x
git stash
git fetch origin
git push -u origin x
git pull --rebase
git restore file
git reset --hard HEAD
git rm file
git mv file other
ls -la
cat file
head -n 5 file | tail -1
grep -r x .
grep -rn --include='*.py' x sub
rg -n x
sed -n 1,20p file
find . -name '*.py' -type f
find . -name '*.py' -not -path './.git/*' | xargs grep -l x
find . -type f | wc -l
python script.py
python3 -m pytest tests -x
python3 -c "print(1)"
python3 <<'E'⏎print(open("/etc/passwd"))⏎E
pytest -q -k x
make
make -C sub test
npm test
npm install
npx tsc --noEmit
cargo build --release
go test ./...
docker compose up -d
pip install -e .
ruff check .
mkdir -p build/x
touch new
cp file other
mv file other
rm -rf sub
tar czf new.tgz sub
chmod +x file
echo done > new
sleep 5 && kill %1
timeout 60 make test
env CI=1 npm test
nohup python script.py > log 2>&1 &
curl -s https://example.org/a -o new
ps aux | grep python
cat > new <<'E'⏎.claude/settings.json⏎E
sort file | uniq -c | sort -rn
xargs -n 1 echo < file
wc -l file sub/*
which python
export A=b
source sub/env.sh
"""


@pytest.mark.parametrize("command", listed(READS_OUTSIDE))
def test_a_command_that_reads_outside_is_refused(place: Workspace, command: str) -> None:
    """However the path is written."""
    assert bash_refusals(place, command)


@pytest.mark.parametrize("command", listed(WRITES_TO_THE_LIBRARY))
def test_what_may_only_be_read_is_not_written(place: Workspace, command: str) -> None:
    """By a redirection, or by a program that is known to write."""
    assert bash_refusals(place, command)


@pytest.mark.parametrize("command", listed(STAYS_WITHIN))
def test_a_command_that_stays_within_is_not_refused(place: Workspace, command: str) -> None:
    """What only looks like a path, and what cannot be known, is let through."""
    assert bash_refusals(place, command) == []


@pytest.mark.parametrize("command", listed(EVERYDAY))
def test_everyday_commands_are_not_refused(place: Workspace, command: str) -> None:
    """In a session that may write its project's folder."""
    assert bash_refusals(place, command) == []


@pytest.mark.parametrize("command", ["git status", "cat ../work/file", "make all"])
def test_from_outside_of_its_folders_a_session_can_still_name_things(
    place: Workspace, command: str
) -> None:
    """A bare word is a file only where such a file is."""
    assert bash_refusals(place, command, "secret") == []


@pytest.mark.parametrize("command", ["cat file", "touch new", "ls", "echo > new"])
def test_a_bare_word_outside_is_refused_where_it_is_a_file(place: Workspace, command: str) -> None:
    """It exists there, or would."""
    assert bash_refusals(place, command, "secret")


def test_shells_within_shells_have_an_end(place: Workspace) -> None:
    """Too deep to be judged is an error, which the guard takes for a refusal."""
    assert bash_refusals(place, "eval " * 5 + "cat file") == []
    with pytest.raises(RecursionError):
        bash_refusals(place, "eval " * 50 + "cat file")


pieces = st.sampled_from(
    [
        *("cat", "rm", "cd", " ", " ", "\n", ";", "|", "&&", "(", ")", "{", "}", "[", "]", "$("),
        *("`", "'", '"', "$", "${", "$'", "\\", "<", ">", "<<E", ">>", "&>", "*", "?", "~", ".."),
        *("/", "=", "-i", "for i in", "do", "done", "if", "then", "fi", "case", "esac", "eval"),
        *("bash -c", "x=", "$x", "#", "dd", "of=", "cp", "-t", "sed", "apply_patch"),
    ]
)


@given(command=st.lists(pieces, max_size=25).map("".join) | st.text(max_size=60))
def test_any_text_is_a_command_that_can_be_judged(command: str) -> None:
    """However broken it is, it is judged and nothing is raised."""
    surface = Surface(read=(), write=("/nowhere",))
    for touch in touches_of_call(CLAUDE, "Bash", {"command": command}, "/nowhere"):
        assert isinstance(touch, Touch)
        # No path at all, such as one with a NUL in it: the guard refuses it.
        with suppress(ValueError):
            surface.refusal(touch)


names = st.text("ab .'\"$*?[]{}~\\#;&|()<>!-é", min_size=1, max_size=8).filter(
    lambda name: name not in (".", "..")
)


@given(
    name=names, folder=st.sampled_from(["./", "sub/", "inner/", "../work/", "../secret/", "out/"])
)
def test_a_quoted_word_is_the_path_that_it_quotes(
    tmp_path_factory: pytest.TempPathFactory, name: str, folder: str
) -> None:
    """Whatever characters it has: within is allowed, outside is refused."""
    place = made(tmp_path_factory.mktemp("place"))
    place.limit()
    is_within = (place.work / folder / name).resolve().is_relative_to(place.work)
    assert (bash_refusals(place, f"cat {shlex.quote(folder + name)}") == []) == is_within


bits = st.sampled_from(
    [
        *("a", "/b", "..", "'c d'", '"e  f"', '"$V"', '" $V "', '"${V}x"', "${V}", "\\ ", "\\'"),
        *(
            "$'\\x2f\\t'",
            "$'it\\'s'",
            "{g,h/}",
            "{i,{j,k}}",
            '"{l,m}"',
            "~",
            "'~'",
            "\\*",
            '"\\$V"',
        ),
        *("${U:-/d}", "${U:-q r/}", '"${U:-s *}"', "${V:-t}", "${V:+/u}", "${U:='v w'}"),
        *("=", "-", "é", "\\\n", "$''", "''", "{n}", "%", "@", ":"),
    ]
)


# Three, since braces multiply, and beyond 256 words the rest counts as not to be known.
@given(parts=st.lists(bits, min_size=1, max_size=3))
def test_words_become_what_bash_makes_of_them(parts: list[str]) -> None:
    """Quotes, escapes, variables and braces, against the real one."""
    word = "./" + "".join(parts) + "z"
    # Words of which a part has no folder in it would be files only where they exist.
    command = f"V='o /p'; cat {word}"
    shown = subprocess.run(
        ["bash", "-c", command.replace("cat", "printf '%s\\0'", 1)],
        capture_output=True,
        text=True,
        check=True,
    )
    expected = {path for path in shown.stdout.split("\0")[:-1] if "/" in path}
    touches = touches_of_call(CLAUDE, "Bash", {"command": command}, "/nowhere")
    assert {touch.path for touch in touches if "/" in touch.path} == expected
