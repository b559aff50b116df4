pub const MAX_DEPTH: usize = 12;

pub struct Engine {
    depth: usize,
}

impl Engine {
    pub fn new(depth: usize) -> Self {
        Engine { depth }
    }

    fn descend<'a>(&self, name: &'a str) -> &'a str {
        let brace = '{';
        if brace == '{' { name } else { "}" }
    }
}

pub fn clamp_depth(depth: usize) -> usize {
    depth.min(MAX_DEPTH)
}
