//! Time steps.

use super::exporter::{Exporter, Image, key};
use melior::ir::{Value, operation::OperationLike};
use weft_dialects::pipeline::Iterate;

impl Exporter {
    pub(super) fn iterate<'c: 'a, 'a>(&mut self, iterate: Iterate<'c, 'a>) -> Result<(), String> {
        let steps = self.numbers.get(&key(iterate.steps())).map(|term| term.text.clone());
        let steps = steps.ok_or("a number of steps from nowhere")?;
        let mut states = Vec::new();
        let mut types = Vec::new();
        for (state, initial) in iterate.states().into_iter().zip(iterate.initial()) {
            let image = self.image(initial)?.clone();
            let name = self.name("state");
            states.push(format!("{name} = {}", image.name));
            self.images.insert(key(state), Image { name, order: self.images.len(), ..image.clone() });
            types.push(image);
        }
        let outer = std::mem::take(&mut self.text);
        self.units(iterate.body())?;
        let end = iterate.terminator().ok_or("an iterate without yield")?;
        let mut next = Vec::new();
        for (value, state) in end.operands().zip(&types) {
            let Image { name, ty, .. } = self.image(value)?.clone();
            if ty != state.ty {
                return Err("a state that changes its sign".into());
            }
            next.push(name);
        }
        let inner = std::mem::replace(&mut self.text, outer);
        let mut made = Vec::new();
        for (index, state) in types.iter().enumerate() {
            let image: Value = iterate.op().result(index).map_err(|error| error.to_string())?.into();
            let wanted = self.wanted(image).and_then(|(name, _)| name);
            let own = if index == 0 { iterate.name().to_owned() } else { format!("{}_{index}", iterate.name()) };
            let name = self.result_name(wanted, &own);
            self.images.insert(key(image), Image { name: name.clone(), order: self.images.len(), ..state.clone() });
            made.push(name);
        }
        let (made, states, next) = (made.join(", "), states.join(", "), next.join(", "));
        self.text.push_str(&format!("{made} = iterate[{steps}]({states}) {{\n{inner}return {next};\n}};\n"));
        Ok(())
    }
}
