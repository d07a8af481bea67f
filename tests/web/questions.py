"""Files and settings that a person would choose for them, as the page and as the command have them."""

import json

from exactperm.files.reading import FIELD
from exactperm.web.bridge import Session

FILES = [
    [("plain.csv", "a,b\n.5,1\n1,.5\n1,2\n.5,.25\n")],
    [("wide.csv", "item,x,a,b\nq1,3,5,2\nq2,3,7,3\nq3,1,4,4\nq4,2,9,1\n")],
    [("seeds.csv", "item,a1,a2,b1,b2\nq1,1,2,3,3\nq2,2,2,4,3\nq3,0,1,1,2\nq4,1,1,0,2\n")],
    [("counts.csv", "tp,fp,fn,tp2,fp2,fn2\n9,1,2,8,2,3\n7,0,1,7,1,1\n12,3,2,10,4,4\n")],
    [("board.csv", "s,t,u,v\n.1,.3,.2,.5\n.4,.3,.2,.1\n.7,.3,.9,.5\n")],
    [("holes.csv", "item,a,b\nq1,.5,1\nq2,NA,3\nq3,.2,1\nq4,.2,0\n")],
    [("headless.csv", "0.5,1\n0.25,0\n1,1\n0.5,0\n")],
    [("log.csv", "id,model,score\nq1,A,1\nq1,B,2\nq2,A,0\nq2,B,2\nq3,A,1\nq3,B,1\n")],
    [("labels.csv", "gold,a,b\nx,x,y\ny,y,x\nx,x,x\ny,x,y\n")],
    [("one.txt", "3\n4\n5\n-1\n")],
    [("commas.csv", "a;b\n0,5;1\n0,25;3\n0,75;1\n")],
    [("base.csv", "id,s\nq0,3\nq1,1\nq2,5\n"), ("new.csv", "id,s\nq2,4\nq0,7\nq1,2\n")],
    [("uneven.csv", "a,b\n1,2\n4,3\n.5,\n")],
    [("arms.csv", "p,arm,days,site\n1,x,5,n\n2,y,7,n\n3,x,6,s\n4,y,9,s\n5,y,8,s\n6,x,2,n\n")],
    [("records.jsonl", '{"id": "a", "u": 1.5, "v": 2}\n{"id": "b", "u": 0.5, "v": 1}\n')],
    [("binary.csv", "a,b\n1,0\n0,1\n1,1\n1,0\n0,0\n1,0\n")],
    [("weights.csv", "item,a,b,w,t\ni1,3,1,1,x\ni2,4,9,2,x\ni3,5,2,3,y\ni4,1,1,1,y\n")],
    [("total.csv", "item,a,b\nx,1,2\ny,3,1\nz,5,4\nmean,3,2.333\n")],
    [("percent.csv", "a,b\n10%,20%\n30%,5%\n50%,60%\n")],
]
SENSIBLE = {
    "wide.csv": {"columns": ["a", "b"]},
    "seeds.csv": {"runs": "within", "columns": ["a1+a2", "b1+b2"]},
    "counts.csv": {"statistic": "f1", "columns": ["tp", "fp", "fn", "tp2", "fp2", "fn2"]},
    "board.csv": {"columns": ["t", "v"], "statistic": "mean"},
    "holes.csv": {"columns": ["a", "b"], "missing": "drop"},
    "headless.csv": {"header": "no"},
    "log.csv": {"system": "model", "score": "score", "id": "id"},
    "labels.csv": {"statistic": "accuracy", "columns": ["gold", "a", "b"], "header": "yes"},
    "one.txt": {"differences": "yes"},
    "commas.csv": {"decimal": "comma"},
    "base.csv": {"columns": ["s"], "id": "id"},
    "uneven.csv": {"columns": ["a", "b"], "unpaired": "yes"},
    "arms.csv": {"system": "arm", "score": "days", "unpaired": "yes", "strata": "site"},
    "weights.csv": {"columns": ["a", "b"], "weights": "w", "tasks": "t", "id": "item"},
}
"""Settings that a person would choose for some of these files."""


SETTINGS = {
    **{field["name"]: "" for field in json.loads(Session().about())["reading"]},
    **{"statistic": "difference", "columns": [], "alternative": "two-sided", "digits": "10"},
    **{"seconds": "60", "published": "", "stated": "", "samples": "", "stars": ""},
    **{"adjust": "holm", "alpha": "0.05"},
}
"""What a request says where nothing is chosen."""


class Page:
    """A session of the page: texts are opened as files; else open ones are asked about, by ``names`` or the last."""

    def __init__(self):
        self.session, self.files = Session(), []

    def __call__(self, do, *texts, progress=None, names=None, **settings):
        if texts or names:
            self.files = names or [f"{'abc'[i]}.csv" for i in range(len(texts))]
        for name, text in zip(self.files, texts):
            self.session.open(name, text.encode() if isinstance(text, str) else text)
        request = {**SETTINGS, **settings, "do": do, "files": self.files}
        return json.loads(self.session.handle(json.dumps(request), progress))


def as_command(shown, files):
    """Return the words of the command line for settings as the page has them."""
    words = [f"--statistic={shown['statistic']}", f"--alternative={shown['alternative']}"]
    for name in (*FIELD, "unpaired", "strata"):
        value = shown.get(name, "")
        if value:
            text = ",".join(value) if name == "columns" else value
            flag = name in ("unpaired", "differences")
            words.append(f"--{name}" if flag else f"--{name}={text}")
    return ["test", *files, "--json", *words]
