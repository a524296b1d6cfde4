//! The operands of an operation.

/// The place of a value on its tape.
pub type NodeId = usize;

/// The operands of an operation: a variable `V`, several, or some that may be missing. Its backward gets
/// their places on the tape in the same form.
pub trait Operands<V> {
    /// [`NodeId`]s, arranged as the operands are.
    type Ids: 'static;

    /// The place of each, by `enter`.
    fn ids(self, enter: &mut impl FnMut(V) -> NodeId) -> Self::Ids;
}

impl<V, O: Operands<V>, const N: usize> Operands<V> for [O; N] {
    type Ids = [O::Ids; N];
    fn ids(self, enter: &mut impl FnMut(V) -> NodeId) -> Self::Ids {
        self.map(|x| x.ids(enter))
    }
}

impl<V, O: Operands<V>> Operands<V> for Option<O> {
    type Ids = Option<O::Ids>;
    fn ids(self, enter: &mut impl FnMut(V) -> NodeId) -> Self::Ids {
        self.map(|x| x.ids(enter))
    }
}

impl<V, O: Operands<V>> Operands<V> for Vec<O> {
    type Ids = Vec<O::Ids>;
    fn ids(self, enter: &mut impl FnMut(V) -> NodeId) -> Self::Ids {
        self.into_iter().map(|x| x.ids(enter)).collect()
    }
}

impl<V, A: Operands<V>, B: Operands<V>> Operands<V> for (A, B) {
    type Ids = (A::Ids, B::Ids);
    fn ids(self, enter: &mut impl FnMut(V) -> NodeId) -> Self::Ids {
        (self.0.ids(enter), self.1.ids(enter))
    }
}
