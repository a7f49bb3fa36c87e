package rollout

func hold(root, id string) {}
