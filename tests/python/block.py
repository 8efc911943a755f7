"""What docs/python.md promises, as written there; run by test_package.py in a folder with nodes.csv and edges.csv."""

import pandas as pd
from sklearn.model_selection import GridSearchCV, cross_val_score

import gcnh

nodes, edges = pd.read_csv("nodes.csv"), pd.read_csv("edges.csv")
g = gcnh.Graph.from_pandas(nodes, edges, id="user", label="segment", source="a", target="b")
print(g.homophily(), g.check(), g)
train_nodes, test_nodes = g.labelled[:100], g.labelled[100:]
clf = gcnh.GCNHClassifier(g, hidden=32, random_state=1).fit(train_nodes)
print(clf.predict_proba(test_nodes)[:2], clf.beta_, clf.history_["val_loss"][-1], clf.explain("u_9912"), clf.transform(nodes).shape)
print(cross_val_score(clf, g.nodes, g.y, cv=10))
print(GridSearchCV(clf, {"hidden": [16, 32]}).fit(g.nodes, g.y).best_params_)
res = gcnh.compare(g, ["mlp", "gcn", "gcnh"], budget=0.5)
print(res.frame, res.verdict, res.to_latex())
res.to_html("r.html")
clf.save("m.safetensors")
answers = gcnh.load_model("m.safetensors").predict(nodes=nodes, edges=edges)
assert answers.tolist() == clf.predict().tolist()
